internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienChecks

/// Images of checks: table `picture`.
extension SQLStore {
  public func images(of id: CheckID) async throws -> [StoredImage] {
    try await read("Reading images") { db in
      try db.rows("SELECT * FROM mien.picture WHERE check_id = $1 ORDER BY ordinal", [id])
        .map { try image($0, of: id) }
    }
  }

  public func deletePictures(decidedBefore time: UnixTime) async throws -> Int {
    let checks = try await write("Deleting images") { db in
      let checks: [CheckID] = try db.column(
        "check_id",
        """
        DELETE FROM mien.picture WHERE check_id IN (SELECT check_id FROM mien.verdict WHERE decided_ms < $1)
        RETURNING check_id
        """, [time])
      return Set(checks).count
    }
    return try await purging(checks)
  }

  func insert(_ images: [StoredImage], of id: CheckID, into db: any SQLConnection) throws {
    // The database's own limit applies to encrypted images, which are longer.
    guard images.allSatisfy({ (1...StoredImage.maximumBytes).contains($0.bytes.count) }) else {
      throw StoreError(.unavailable, reason: "Storing an image: it is empty or too large.")
    }
    try db.insert(
      "picture", ["check_id", "ordinal", "kind", "bytes", "box"],
      try images.enumerated().map { ordinal, image in
        [
          id, ordinal, image.kind, keyring.close(image.bytes, .image, of: id.text, "\(ordinal)"),
          try keyring.json(FaceBoxRecord(image.box), .imageBox, of: id.text, "\(ordinal)"),
        ]
      })
  }

  private func image(_ row: SQLRow, of id: CheckID) throws -> StoredImage {
    let ordinal = "\(try row["ordinal"] as Int)"
    let box: FaceBoxRecord = try keyring.value(try row["box"], .imageBox, of: id.text, ordinal)
    return StoredImage(
      kind: try row["kind"], bytes: try keyring.open(try row["bytes"], .image, of: id.text, ordinal), box: box.box)
  }
}
