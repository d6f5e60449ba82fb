internal import MienLiveSessions
internal import Foundation
public import MienCore
public import MienPlatform
public import MienChecks

/// Leases of checks, by the database's clock.
extension PostgresStore {
  public var isShared: Bool { true }

  /// Time at which the database received the statement, independent of subsequent lock waits.
  static let statementTime = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
  static let othersWait = LeaseTiming.timeout.nanoseconds / 1_000_000
  /// Time in milliseconds without a heartbeat after which a server counts as dead; heartbeats occur every five seconds.
  private static let silence = 7000

  public func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition? {
    try await write("Acquiring a check") { db in
      // A single statement sees the previous state of the lease, even if it changes it.
      let row = try db.first(
        """
        WITH mine AS (
          INSERT INTO mien.live_snapshot AS s (check_id, server, epoch, renewed_ms)
          SELECT id, $2, 1, \(Self.statementTime) FROM mien.liveness_check WHERE id = $1 AND state = 'open'
          ON CONFLICT (check_id) DO UPDATE SET server = $2, renewed_ms = excluded.renewed_ms,
            epoch = CASE WHEN s.server = $2 THEN s.epoch ELSE s.epoch + 1 END
          WHERE s.server IN ('', $2) OR s.renewed_ms <= excluded.renewed_ms - \(Self.othersWait)
          RETURNING check_id, epoch, state, state_ms
        )
        SELECT \(CheckQuery.columns), mine.epoch AS mine, mine.state AS snapshot, \(Self.statementTime) - mine.state_ms AS age,
          before.server <> $2 AS moved,
          before.server <> $2 AND NOT EXISTS (
            SELECT FROM mien.server o WHERE o.id = before.server AND o.seen_ms > \(Self.statementTime) - \(Self.silence)
          ) AS orphaned
        FROM \(CheckQuery.tables) LEFT JOIN mine ON mine.check_id = c.id
          LEFT JOIN mien.live_snapshot before ON before.check_id = c.id
        WHERE c.id = $1
        """, [id, server])
      guard let row else { return nil }
      let found = try check(row)
      let hold = try (row[optional: "mine"] as Int?).map { epoch in
        CheckAcquisition.Lease(
          epoch: epoch, state: try row[optional: "snapshot"],
          age: (try row[optional: "age"] as Int64?).map { .milliseconds(Double($0)) } ?? .zero,
          isOrphan: try row[optional: "orphaned"] == true, wasElsewhere: try row[optional: "moved"] == true)
      }
      return CheckAcquisition(record: found.record, result: found.result, hold: found.result == nil ? hold : nil)
    }
  }

  public func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    // A fixed order prevents deadlocks between servers.
    let states = snapshots.sorted { $0.check.text < $1.check.text }.map { snapshot in
      SnapshotRow(
        check: snapshot.check.text, epoch: snapshot.epoch, state: Data(snapshot.state).base64EncodedString())
    }
    return try await write("Storing active checks") { db in
      Set(
        try db.column(
          "check_id",
          """
          INSERT INTO mien.live_snapshot AS s (check_id, server, epoch, renewed_ms, state, state_ms)
          SELECT c.id, $1, k.epoch, \(Self.statementTime), decode(k.state, 'base64'), \(Self.statementTime)
          FROM json_to_recordset($2::json) AS k ("check" text, epoch bigint, state text)
            JOIN mien.liveness_check c ON c.id = k."check" AND c.state = 'open'
          ORDER BY c.id
          ON CONFLICT (check_id) DO UPDATE SET renewed_ms = excluded.renewed_ms, state = excluded.state,
            state_ms = excluded.state_ms
          WHERE s.server = excluded.server AND s.epoch = excluded.epoch
          RETURNING check_id
          """, [server, try Self.json(states)]))
    }
  }

  public func release() async throws {
    _ = try await change(
      "Releasing checks", "UPDATE mien.live_snapshot SET server = '' WHERE server = $1", [server])
  }
}

/// State in the JSON format that the statement reads.
private struct SnapshotRow: Encodable {
  let check: String
  let epoch: Int
  let state: String
}
