internal import Foundation
internal import GRDB
public import MienCore
public import MienService

extension SQLiteStore: ImageStore {
  public func images(of id: CheckID) async throws -> [StoredImage] {
    try await mapped("Reading pictures") {
      try await database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM picture WHERE check_id = ? ORDER BY ordinal", arguments: [id.text])
          .map { try image($0, of: id) }
      }
    }
  }

  public func deletePictures(decidedBefore time: UnixTime) async throws -> Int {
    let found = """
      SELECT DISTINCT picture.check_id FROM picture JOIN verdict ON verdict.check_id = picture.check_id
      WHERE verdict.decided_ms < ?
      """
    let deleted = try await mapped("Erasing pictures") {
      // Usually nothing is found, so read before waiting for the writer.
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: found, arguments: [time.milliseconds])
      }
      guard !ids.isEmpty else { return 0 }
      try await database.write { db in
        for id in ids { try db.execute(sql: "DELETE FROM picture WHERE check_id = ?", arguments: [id]) }
      }
      return ids.count
    }
    if deleted > 0 { try await shrinkLog() }
    return deleted
  }

  func insert(_ image: StoredImage, ordinal: Int, of id: CheckID, into db: Database) throws {
    // The database's own limit applies to encrypted images, which are longer.
    guard (1...StoredImage.maximumBytes).contains(image.bytes.count) else {
      throw StoreError(.unavailable, reason: "Keeping a picture: it is empty or too large.")
    }
    try db.execute(
      sql: """
        INSERT INTO picture (check_id, ordinal, kind, bytes, box) VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        id.text, ordinal, image.kind.rawValue,
        Data(keyring.close(image.bytes, .image, of: id.text, "\(ordinal)")),
        try keyring.json(FaceBoxRecord(image.box), .imageBox, of: id.text, "\(ordinal)"),
      ])
  }

  private func image(_ row: Row, of id: CheckID) throws -> StoredImage {
    guard let kind = StoredImage.Kind(rawValue: row["kind"]) else { throw Self.damaged("a picture") }
    let ordinal = "\(row["ordinal"] as Int)"
    let box: FaceBoxRecord = try keyring.value(row["box"], .imageBox, of: id.text, ordinal)
    return StoredImage(
      kind: kind, bytes: try keyring.open(Array(row["bytes"] as Data), .image, of: id.text, ordinal), box: box.box)
  }

  /// Truncates the write-ahead log, which still contains data deleted from the tables.
  func shrinkLog() async throws {
    try await mapped("Emptying the write-ahead log") {
      try await database.writeWithoutTransaction { db in
        do {
          try db.checkpoint(.truncate)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED
        {
          // A read is in progress; the next checkpoint truncates the log.
        }
      }
    }
  }
}
