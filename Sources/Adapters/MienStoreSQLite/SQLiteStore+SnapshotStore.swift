internal import Foundation
internal import GRDB
public import MienCore
public import MienService

/// The embedded store has a single server, which holds all checks.
extension SQLiteStore: SnapshotStore {
  public var isShared: Bool { false }

  public func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition? {
    guard let found = try await check(id) else { return nil }
    guard found.result == nil else { return CheckAcquisition(record: found.record, result: found.result, hold: nil) }
    return try await mapped("Reading a check under way") {
      let hold = try await database.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT server, epoch, state, state_ms FROM live_snapshot WHERE check_id = ?", arguments: [id.text])
        guard let row else {
          return CheckAcquisition.Lease(epoch: 1, state: nil, age: .zero, isOrphan: false, wasElsewhere: false)
        }
        let age = (row["state_ms"] as Int64?).map { Interval.milliseconds(Double(now.milliseconds - $0)) }
        return CheckAcquisition.Lease(
          epoch: row["epoch"], state: (row["state"] as Data?).map { Array($0) }, age: age ?? .zero,
          isOrphan: row["server"] != server, wasElsewhere: false)
      }
      return CheckAcquisition(record: found.record, result: nil, hold: hold)
    }
  }

  public func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await mapped("Keeping checks under way") {
      try await database.write { db in
        var kept: Set<CheckID> = []
        for snapshot in snapshots {
          try db.execute(
            sql: """
              INSERT INTO live_snapshot (check_id, server, epoch, renewed_ms, state, state_ms)
              SELECT id, ?, ?, ?, ?, ? FROM liveness_check WHERE id = ? AND open = 1
              ON CONFLICT (check_id) DO UPDATE SET server = excluded.server, epoch = excluded.epoch,
                renewed_ms = excluded.renewed_ms, state = excluded.state, state_ms = excluded.state_ms
              """,
            arguments: [
              server, snapshot.epoch, now.milliseconds, Data(snapshot.state), now.milliseconds, snapshot.check.text,
            ])
          if db.changesCount > 0 { kept.insert(snapshot.check) }
        }
        return kept
      }
    }
  }

  public func release() async throws {}
}
