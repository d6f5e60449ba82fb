internal import MienLiveSessions
public import MienCore
public import MienPlatform
internal import MienChecks
public import MienMessageService

/// Leases of performances. The embedded store has a single server, which holds all performances.
extension SQLiteStore {
  public func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws {
    try await write("Storing a performance") { db in
      try db.insert(
        "live_performance",
        ["id", "expires_ms", "server", "epoch", "renewed_ms", "closed", "revision", "state", "state_ms"],
        [
          performance.id, performance.expires, server, performance.epoch, now, performance.isClosed,
          performance.revision, performance.state, now,
        ])
    }
  }

  public func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease? {
    let found = try await read("Acquiring a performance") { db in
      try db.first("SELECT * FROM mien.live_performance WHERE id = $1", [id]).map { row in
        (
          hold: PerformanceLease.Hold(
            epoch: try row["epoch"], revision: try row["revision"], state: try row["state"],
            age: .milliseconds(Double(now.milliseconds - (try row["state_ms"] as Int64)))),
          expires: try row["expires_ms"] as Int64
        )
      }
    }
    guard let found else { return nil }
    let soon = now.milliseconds + LeaseTiming.grace.nanoseconds / 1_000_000
    if found.expires < soon {
      _ = try await change(
        "Acquiring a performance",
        "UPDATE mien.live_performance SET expires_ms = $2 WHERE id = $1 AND closed = 0 AND expires_ms < $2", [id, soon])
    }
    return .held(found.hold)
  }

  public func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await transaction("Storing performances") { db in
      var saved: Set<CheckID> = []
      for performance in performances {
        let changed = try db.change(
          """
          UPDATE mien.live_performance SET server = $1, renewed_ms = $2, closed = $4, revision = $5, expires_ms = $6,
            state = $7, state_ms = $2
          WHERE id = $3 AND epoch = $8 AND revision < $5 AND closed <= $4
          """,
          [
            server, now, performance.id, performance.isClosed, performance.revision, performance.expires,
            performance.state, performance.epoch,
          ])
        if changed > 0 { saved.insert(performance.id) }
      }
      return saved
    }
  }

  public func letPerformancesGo() async throws {}
}
