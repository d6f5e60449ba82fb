internal import MienLiveSessions
internal import Foundation
public import MienCore
public import MienPlatform
internal import MienChecks
public import MienMessageService

/// Leases of performances, by the database's clock.
extension PostgresStore {
  public func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws {
    _ = try await change(
      "Storing a performance",
      """
      INSERT INTO mien.live_performance (id, expires_ms, server, epoch, renewed_ms, closed, revision, state, state_ms)
      VALUES ($1, $2, '', $3, \(Self.statementTime), $4, $5, $6, \(Self.statementTime))
      """,
      [
        performance.id, performance.expires, performance.epoch, performance.isClosed, performance.revision,
        performance.state,
      ])
  }

  public func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease? {
    let soon = now.milliseconds + LeaseTiming.grace.nanoseconds / 1_000_000
    return try await write("Acquiring a performance") { db in
      // A single statement sees the previous state of the performance, even if it changes it.
      let row = try db.first(
        """
        WITH mine AS (
          UPDATE mien.live_performance SET renewed_ms = \(Self.statementTime),
            server = CASE WHEN closed = 1 THEN '' ELSE $2 END,
            epoch = CASE WHEN closed = 1 OR server = $2 THEN epoch ELSE epoch + 1 END,
            expires_ms = CASE WHEN closed = 1 THEN expires_ms ELSE greatest(expires_ms, $3) END
          WHERE id = $1
            AND (closed = 1 OR server IN ('', $2) OR renewed_ms <= \(Self.statementTime) - \(Self.othersWait))
          RETURNING id, epoch, revision, state, \(Self.statementTime) - state_ms AS age
        )
        SELECT mine.epoch, mine.revision, mine.state, mine.age
        FROM mien.live_performance p LEFT JOIN mine ON mine.id = p.id WHERE p.id = $1
        """, [id, server, soon])
      guard let row else { return nil }
      guard let epoch: Int = try row[optional: "epoch"] else { return .elsewhere }
      return .held(
        .init(
          epoch: epoch, revision: try row["revision"], state: try row["state"],
          age: .milliseconds(Double(try row["age"] as Int64))))
    }
  }

  public func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    // A fixed order prevents deadlocks between servers.
    let states = performances.sorted { $0.id.text < $1.id.text }.map { performance in
      PerformanceRow(
        id: performance.id.text, epoch: performance.epoch, revision: performance.revision,
        closed: performance.isClosed ? 1 : 0, expires: performance.expires.milliseconds,
        state: Data(performance.state).base64EncodedString())
    }
    return try await write("Storing performances") { db in
      Set(
        try db.column(
          "id",
          """
          UPDATE mien.live_performance s SET server = CASE WHEN k.closed = 1 THEN '' ELSE s.server END,
            renewed_ms = \(Self.statementTime), closed = k.closed, revision = k.revision, expires_ms = k.expires,
            state = decode(k.state, 'base64'), state_ms = \(Self.statementTime)
          FROM json_to_recordset($2::json)
            AS k (id text, epoch bigint, revision bigint, closed bigint, expires bigint, state text)
          WHERE s.id = k.id AND s.epoch = k.epoch AND s.revision < k.revision AND s.closed <= k.closed
            AND (s.server = $1 OR s.closed = 1)
          RETURNING s.id
          """, [server, try Self.json(states)]))
    }
  }

  public func letPerformancesGo() async throws {
    _ = try await change(
      "Releasing performances", "UPDATE mien.live_performance SET server = '' WHERE server = $1", [server])
  }
}

/// State in the JSON format that the statement reads.
private struct PerformanceRow: Encodable {
  let id: String
  let epoch: Int
  let revision: Int
  let closed: Int
  let expires: Int64
  let state: String
}
