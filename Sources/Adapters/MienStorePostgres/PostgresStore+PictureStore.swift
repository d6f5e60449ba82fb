public import MienCore
public import MienService

extension PostgresStore: ImageStore {
  public func images(of id: CheckID) async throws -> [StoredImage] {
    try await mapped("Reading pictures") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.picture WHERE check_id = $1 ORDER BY ordinal", [id.text])
          .map { try image($0, of: id) }
      }
    }
  }

  public func deletePictures(decidedBefore time: UnixTime) async throws -> Int {
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

  func insert(_ images: [StoredImage], of id: CheckID, into db: inout PostgresConnection) throws {
    // The database's own limit applies to encrypted images, which are longer.
    guard images.allSatisfy({ (1...StoredImage.maximumBytes).contains($0.bytes.count) }) else {
      throw StoreError(.unavailable, reason: "Keeping a picture: it is empty or too large.")
    }
    try db.insert(
      "picture", ["check_id", "ordinal", "kind", "bytes", "box"],
      try images.enumerated().map { ordinal, image in
        [
          id.text, ordinal, image.kind.rawValue, keyring.close(image.bytes, .image, of: id.text, "\(ordinal)"),
          try keyring.json(FaceBoxRecord(image.box), .imageBox, of: id.text, "\(ordinal)"),
        ]
      })
  }

  private func image(_ row: PostgresRow, of id: CheckID) throws -> StoredImage {
    guard let kind = StoredImage.Kind(rawValue: try row["kind"]) else { throw Self.damaged("a picture") }
    let ordinal = "\(try row["ordinal"] as Int)"
    let box: FaceBoxRecord = try keyring.value(try row["box"], .imageBox, of: id.text, ordinal)
    return StoredImage(
      kind: kind, bytes: try keyring.open(try row["bytes"], .image, of: id.text, ordinal), box: box.box)
  }
}
