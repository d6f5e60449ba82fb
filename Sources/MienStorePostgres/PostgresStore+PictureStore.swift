public import MienModel
public import MienService

extension PostgresStore: PictureStore {
  public func pictures(of id: SessionID) async throws -> [KeptPicture] {
    try await mapped("Reading pictures") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.picture WHERE check_id = $1 ORDER BY ordinal", [id.text])
          .map { try picture($0, of: id) }
      }
    }
  }

  public func erasePictures(decidedBefore time: UnixTime) async throws -> Int {
    try await mapped("Erasing pictures") {
      try await pool.write { db in
        let checks = try db.rows(
          """
          DELETE FROM mien.picture USING mien.verdict
          WHERE verdict.check_id = picture.check_id AND verdict.decided_ms < $1 RETURNING picture.check_id
          """, [time.milliseconds])
        return Set(try checks.map { try $0["check_id"] as String }).count
      }
    }
  }

  func insert(_ pictures: [KeptPicture], of id: SessionID, into db: inout PostgresConnection) throws {
    // The database's own limit is that of sealed pictures, which are longer.
    guard pictures.allSatisfy({ (1...KeptPicture.maximumBytes).contains($0.bytes.count) }) else {
      throw StoreError(.unavailable, reason: "Keeping a picture: it is empty or too large.")
    }
    try db.insert(
      "picture", ["check_id", "ordinal", "kind", "bytes", "box"],
      try pictures.enumerated().map { ordinal, picture in
        [
          id.text, ordinal, picture.kind.rawValue, seal.close(picture.bytes, .picture, of: id.text, "\(ordinal)"),
          try seal.json(StoredBox(picture.box), .pictureBox, of: id.text, "\(ordinal)"),
        ]
      })
  }

  private func picture(_ row: PostgresRow, of id: SessionID) throws -> KeptPicture {
    guard let kind = KeptPicture.Kind(rawValue: try row["kind"]) else { throw Self.damaged("a picture") }
    let ordinal = "\(try row["ordinal"] as Int)"
    let box: StoredBox = try seal.value(try row["box"], .pictureBox, of: id.text, ordinal)
    return KeptPicture(
      kind: kind, bytes: try seal.open(try row["bytes"], .picture, of: id.text, ordinal), box: box.box)
  }
}
