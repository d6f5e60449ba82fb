internal import Foundation
internal import GRDB
public import MienCore
public import MienService

/// The embedded store has a single server, which holds all performances.
extension SQLiteStore: PerformanceStore {
  public func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws {
    let arguments: StatementArguments = [
      performance.id.text, performance.expires.milliseconds, server, performance.epoch, now.milliseconds,
      performance.isClosed, performance.revision, Data(performance.state), now.milliseconds,
    ]
    try await mapped("Beginning a performance") {
      try await group.write { db in
        try db.execute(
          sql: """
            INSERT INTO live_performance (
              id, expires_ms, server, epoch, renewed_ms, closed, revision, state, state_ms
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, arguments: arguments)
      }
    }
  }

  public func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease? {
    try await mapped("Taking a performance") {
      let hold = try await database.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT epoch, revision, state, state_ms, expires_ms FROM live_performance WHERE id = ?",
          arguments: [id.text])
        return row.map { row in
          (
            hold: PerformanceLease.Hold(
              epoch: row["epoch"], revision: row["revision"], state: Array(row["state"] as Data),
              age: .milliseconds(Double(now.milliseconds - (row["state_ms"] as Int64)))),
            expires: row["expires_ms"] as Int64
          )
        }
      }
      guard let hold else { return nil }
      let soon = now.milliseconds + LeaseTiming.grace.nanoseconds / 1_000_000
      if hold.expires < soon {
        try await database.write { db in
          try db.execute(
            sql: "UPDATE live_performance SET expires_ms = ?2 WHERE id = ?1 AND closed = 0 AND expires_ms < ?2",
            arguments: [id.text, soon])
        }
      }
      return .held(hold.hold)
    }
  }

  public func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await mapped("Keeping performances") {
      try await database.write { db in
        var kept: Set<CheckID> = []
        for performance in performances {
          try db.execute(
            sql: """
              UPDATE live_performance SET server = ?1, renewed_ms = ?2, closed = ?4, revision = ?5, expires_ms = ?6,
                state = ?7, state_ms = ?2
              WHERE id = ?3 AND epoch = ?8 AND revision < ?5 AND closed <= ?4
              """,
            arguments: [
              server, now.milliseconds, performance.id.text, performance.isClosed, performance.revision,
              performance.expires.milliseconds, Data(performance.state), performance.epoch,
            ])
          if db.changesCount > 0 { kept.insert(performance.id) }
        }
        return kept
      }
    }
  }

  public func letPerformancesGo() async throws {}

  public func purgePerformances(at time: UnixTime, limit: Int) async throws -> Int {
    let due = "SELECT id FROM live_performance WHERE expires_ms <= ? ORDER BY expires_ms LIMIT ?"
    return try await mapped("Forgetting performances") {
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: due, arguments: [time.milliseconds, limit])
      }
      guard !ids.isEmpty else { return 0 }
      return try await database.write { db in
        try db.execute(sql: "DELETE FROM live_performance WHERE id IN (\(due))", arguments: [time.milliseconds, limit])
        return db.changesCount
      }
    }
  }
}
