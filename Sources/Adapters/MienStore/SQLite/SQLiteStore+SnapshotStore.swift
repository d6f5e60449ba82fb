public import MienCore
public import MienPlatform
public import MienChecks

/// Leases of checks. The embedded store has a single server, which holds all checks.
extension SQLiteStore {
  public var isShared: Bool { false }

  public func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition? {
    guard let found = try await check(id) else { return nil }
    guard found.result == nil else { return CheckAcquisition(record: found.record, result: found.result, hold: nil) }
    let hold = try await read("Reading an active check") { db in
      let row = try db.first(
        "SELECT server, epoch, state, state_ms FROM mien.live_snapshot WHERE check_id = $1", [id])
      guard let row else {
        return CheckAcquisition.Lease(epoch: 1, state: nil, age: .zero, isOrphan: false, wasElsewhere: false)
      }
      let age = (try row[optional: "state_ms"] as Int64?).map { Interval.milliseconds(Double(now.milliseconds - $0)) }
      return CheckAcquisition.Lease(
        epoch: try row["epoch"], state: try row[optional: "state"], age: age ?? .zero,
        isOrphan: try row["server"] != server, wasElsewhere: false)
    }
    return CheckAcquisition(record: found.record, result: nil, hold: hold)
  }

  public func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await transaction("Storing active checks") { db in
      var saved: Set<CheckID> = []
      for snapshot in snapshots {
        let changed = try db.change(
          """
          INSERT INTO mien.live_snapshot (check_id, server, epoch, renewed_ms, state, state_ms)
          SELECT id, $1, $2, $3, $4, $3 FROM mien.liveness_check WHERE id = $5 AND state = 'open'
          ON CONFLICT (check_id) DO UPDATE SET server = excluded.server, epoch = excluded.epoch,
            renewed_ms = excluded.renewed_ms, state = excluded.state, state_ms = excluded.state_ms
          """, [server, snapshot.epoch, now, snapshot.state, snapshot.check])
        if changed > 0 { saved.insert(snapshot.check) }
      }
      return saved
    }
  }

  public func release() async throws {}
}
