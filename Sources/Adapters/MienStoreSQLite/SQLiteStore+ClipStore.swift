internal import Foundation
internal import GRDB
public import MienCore
public import MienService

extension SQLiteStore: ClipStore {
  public func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)] {
    try await mapped("Looking for films to make") {
      try await database.read { db in
        try Row.fetchAll(
          db,
          sql: """
            SELECT clip.check_id, verdict.decided_ms FROM clip JOIN verdict ON verdict.check_id = clip.check_id
            WHERE clip.state = 'pending' ORDER BY verdict.decided_ms LIMIT ?
            """, arguments: [limit]
        ).compactMap { row in
          CheckID(row["check_id"] as String).map { ($0, UnixTime(milliseconds: row["decided_ms"])) }
        }
      }
    }
  }

  public func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws {
    try await mapped("Keeping a film") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE clip SET state = ?, bytes = ? WHERE check_id = ? AND state = 'pending'",
          arguments: [
            bytes == nil ? "failed" : "ready", bytes.map { Data(keyring.close($0, .clip, of: id.text)) }, id.text,
          ])
      }
    }
  }

  public func clip(of id: CheckID) async throws -> ClipRecord? {
    try await mapped("Reading a film") {
      try await database.read { db in
        guard
          let row = try Row.fetchOne(db, sql: "SELECT state, bytes FROM clip WHERE check_id = ?", arguments: [id.text])
        else { return nil }
        switch row["state"] as String {
        case "pending": return .pending
        case "failed": return .failed
        default: return .ready(try keyring.open(Array(row["bytes"] as Data), .clip, of: id.text))
        }
      }
    }
  }

  public func deleteClips(decidedBefore time: UnixTime) async throws -> Int {
    let found = """
      SELECT clip.check_id FROM clip JOIN verdict ON verdict.check_id = clip.check_id
      WHERE verdict.decided_ms < ? AND clip.state != 'pending'
      """
    let deleted = try await mapped("Erasing films") {
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: found, arguments: [time.milliseconds])
      }
      guard !ids.isEmpty else { return 0 }
      try await database.write { db in
        for id in ids { try db.execute(sql: "DELETE FROM clip WHERE check_id = ?", arguments: [id]) }
      }
      return ids.count
    }
    if deleted > 0 { try await shrinkLog() }
    return deleted
  }
}
