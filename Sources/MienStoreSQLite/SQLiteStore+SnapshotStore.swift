internal import Foundation
internal import GRDB
public import MienModel
public import MienService

/// One server works with the embedded store, so that all checks are its own.
extension SQLiteStore: SnapshotStore {
  public var isShared: Bool { false }

  public func takeUp(_ id: SessionID, at now: UnixTime) async throws -> TakenCheck? {
    guard let found = try await check(id) else { return nil }
    guard found.result == nil else { return TakenCheck(record: found.record, result: found.result, hold: nil) }
    return try await mapped("Reading a check under way") {
      let hold = try await database.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT server, epoch, state, state_ms FROM live_snapshot WHERE check_id = ?", arguments: [id.text])
        guard let row else {
          return TakenCheck.Hold(epoch: 1, state: nil, age: .zero, isOrphan: false, wasElsewhere: false)
        }
        let age = (row["state_ms"] as Int64?).map { Interval.milliseconds(Double(now.milliseconds - $0)) }
        return TakenCheck.Hold(
          epoch: row["epoch"], state: (row["state"] as Data?).map { Array($0) }, age: age ?? .zero,
          isOrphan: row["server"] != server, wasElsewhere: false)
      }
      return TakenCheck(record: found.record, result: nil, hold: hold)
    }
  }

  public func keep(_ snapshots: [LiveSnapshot], at now: UnixTime) async throws -> Set<SessionID> {
    try await mapped("Keeping checks under way") {
      try await database.write { db in
        var kept: Set<SessionID> = []
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

  public func letGo() async throws {}
}
