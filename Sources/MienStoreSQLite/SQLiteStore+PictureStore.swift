internal import Foundation
internal import GRDB
public import MienModel
public import MienService

extension SQLiteStore: PictureStore {
  public func pictures(of id: SessionID) async throws -> [KeptPicture] {
    try await mapped("Reading pictures") {
      try await database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM picture WHERE check_id = ? ORDER BY ordinal", arguments: [id.text])
          .map(Self.picture)
      }
    }
  }

  public func erasePictures(decidedBefore time: UnixTime) async throws -> Int {
    let found = """
      SELECT DISTINCT picture.check_id FROM picture JOIN verdict ON verdict.check_id = picture.check_id
      WHERE verdict.decided_ms < ?
      """
    let erased = try await mapped("Erasing pictures") {
      // Almost always there is nothing to do: look before taking the writer's turn.
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: found, arguments: [time.milliseconds])
      }
      guard !ids.isEmpty else { return 0 }
      try await database.write { db in
        for id in ids { try db.execute(sql: "DELETE FROM picture WHERE check_id = ?", arguments: [id]) }
      }
      return ids.count
    }
    if erased > 0 { try await shrinkLog() }
    return erased
  }

  static func insert(_ picture: KeptPicture, ordinal: Int, of id: SessionID, into db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO picture (check_id, ordinal, kind, bytes, box_x, box_y, box_width, box_height)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.text, ordinal, picture.kind.rawValue, Data(picture.bytes), picture.box.x, picture.box.y, picture.box.width,
        picture.box.height,
      ])
  }

  private static func picture(_ row: Row) throws -> KeptPicture {
    guard let kind = KeptPicture.Kind(rawValue: row["kind"]) else { throw damaged("a picture") }
    return KeptPicture(
      kind: kind, bytes: Array(row["bytes"] as Data),
      box: FaceBox(x: row["box_x"], y: row["box_y"], width: row["box_width"], height: row["box_height"]))
  }

  /// Empties the write-ahead log, which still holds what was erased from the tables.
  func shrinkLog() async throws {
    try await mapped("Emptying the write-ahead log") {
      try await database.writeWithoutTransaction { db in
        do {
          try db.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
          // Somebody reads; the next checkpoint does it.
        }
      }
    }
  }
}
