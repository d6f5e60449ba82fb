public import MienModel
public import MienService

extension PostgresStore: PictureStore {
  public func pictures(of id: SessionID) async throws -> [KeptPicture] {
    try await mapped("Reading pictures") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.picture WHERE check_id = $1 ORDER BY ordinal", [id.text])
          .map { try Self.picture($0) }
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

  static func insert(_ pictures: [KeptPicture], of id: SessionID, into db: inout PostgresConnection) throws {
    try db.insert(
      "picture", ["check_id", "ordinal", "kind", "bytes", "box_x", "box_y", "box_width", "box_height"],
      pictures.enumerated().map { ordinal, picture in
        [
          id.text, ordinal, picture.kind.rawValue, picture.bytes, Double(picture.box.x), Double(picture.box.y),
          Double(picture.box.width), Double(picture.box.height),
        ]
      })
  }

  private static func picture(_ row: PostgresRow) throws -> KeptPicture {
    guard let kind = KeptPicture.Kind(rawValue: try row["kind"]) else { throw damaged("a picture") }
    return KeptPicture(
      kind: kind, bytes: try row["bytes"],
      box: FaceBox(
        x: Float(try row["box_x"] as Double), y: Float(try row["box_y"] as Double),
        width: Float(try row["box_width"] as Double), height: Float(try row["box_height"] as Double)))
  }
}
