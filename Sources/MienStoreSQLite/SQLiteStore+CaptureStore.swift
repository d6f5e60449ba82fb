internal import Foundation
internal import GRDB
public import MienAuthenticity
public import MienModel
public import MienService

extension SQLiteStore: CaptureStore {
  // MARK: - Devices

  public func keep(_ device: CaptureDevice) async throws {
    try await mapped("Keeping a device") {
      try await group.write { db in
        try db.execute(
          sql: "INSERT INTO capture_device (id, public_key, counter, created_ms) VALUES (?, ?, ?, ?)",
          arguments: [device.id.text, Data(device.key.bytes), device.counter, device.created.milliseconds])
      }
    }
  }

  public func device(_ id: DeviceID) async throws -> CaptureDevice? {
    try await mapped("Reading a device") {
      try await database.read { db in
        let row = try Row.fetchOne(db, sql: "SELECT * FROM capture_device WHERE id = ?", arguments: [id.text])
        guard let row else { return nil }
        guard let key = DeviceKey(bytes: Array(row["public_key"] as Data)) else { throw Self.damaged("a device") }
        return CaptureDevice(
          id: id, key: key, counter: row["counter"], created: UnixTime(milliseconds: row["created_ms"]))
      }
    }
  }

  public func eraseDevice(_ id: DeviceID) async throws -> Bool {
    try await mapped("Erasing a device") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM capture_device WHERE id = ?", arguments: [id.text])
        return db.changesCount > 0
      }
    }
  }

  // MARK: - Captures

  public func keep(_ capture: CaptureRecord) async throws -> CaptureRecord {
    let (claims, signature) = (try Self.json(capture.claims), try capture.signature.map { try Self.json($0) })
    let results = try capture.results.map { try Self.json($0) }
    let motion = try capture.motion.map { try Self.json($0) }
    return try await mapped("Keeping a capture") {
      try await database.write { db in
        var kept = capture
        kept.history = try Self.history(of: capture, in: db)
        try db.execute(
          sql: """
            INSERT INTO capture (
              id, receipt_digest, received_ms, photo_digest, photo_size, photo_blob, photo_type, depth_digest,
              depth_size, depth_blob, metadata, detection, claims, signature, same_photo, counter_before, state, results,
              motion, motion_blob
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            kept.id.text, Data(kept.receipt.bytes), kept.received.milliseconds, Data(kept.photo.digest.bytes),
            kept.photo.size, kept.photo.blob?.text, kept.photoType, kept.depth.map { Data($0.digest.bytes) },
            kept.depth?.size, kept.depth?.blob?.text, kept.metadata.map { Data($0) }, kept.detection.map { Data($0) },
            claims, signature, kept.history.samePhoto, kept.history.counter, kept.state.rawValue, results,
            motion, kept.motion?.blob?.text,
          ])
        return kept
      }
    }
  }

  /// What there was before, and the device's counter goes on where the signature covers what came.
  private static func history(of capture: CaptureRecord, in db: Database) throws -> CaptureHistory {
    let same = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM capture WHERE photo_digest = ?", arguments: [Data(capture.photo.digest.bytes)])
    guard let same else { throw damaged("the number of captures") }
    var history = CaptureHistory(samePhoto: same)
    guard let signature = capture.signature, signature.standing == .valid else { return history }
    history.counter = try Int64.fetchOne(
      db, sql: "SELECT counter FROM capture_device WHERE id = ?", arguments: [signature.device])
    if signature.covers {
      try db.execute(
        sql: "UPDATE capture_device SET counter = max(counter, ?) WHERE id = ?",
        arguments: [signature.counter, signature.device])
    }
    return history
  }

  public func capture(_ id: CaptureID) async throws -> CaptureRecord? {
    try await mapped("Reading a capture") {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT * FROM capture WHERE id = ?", arguments: [id.text])
          .map { try Self.capture($0, id: id) }
      }
    }
  }

  public func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM capture WHERE photo_digest = ? ORDER BY received_ms, rowid LIMIT ?",
          arguments: [Data(photo.bytes), limit]
        ).compactMap { CaptureID($0) }
      }
    }
  }

  public func queuedCaptures(limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM capture WHERE state = 'queued' ORDER BY received_ms, rowid LIMIT ?",
          arguments: [limit]
        ).compactMap { CaptureID($0) }
      }
    }
  }

  public func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM capture WHERE received_ms < ? ORDER BY received_ms, rowid LIMIT ?",
          arguments: [time.milliseconds, limit]
        ).compactMap { CaptureID($0) }
      }
    }
  }

  public func analysed(
    _ id: CaptureID, _ results: DetectionResults, drawings: [CaptureDrawing]
  ) async throws -> Bool {
    let json = try Self.json(results)
    return try await mapped("Keeping an analysis") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE capture SET state = 'analysed', results = ? WHERE id = ? AND state <> 'hash-only'",
          arguments: [json, id.text])
        guard db.changesCount > 0 else { return false }
        try db.execute(sql: "DELETE FROM capture_drawing WHERE capture_id = ?", arguments: [id.text])
        for drawing in drawings {
          try db.execute(
            sql: "INSERT INTO capture_drawing (capture_id, kind, bytes) VALUES (?, ?, ?)",
            arguments: [id.text, drawing.kind.rawValue, Data(drawing.bytes)])
        }
        return true
      }
    }
  }

  public func drawing(_ kind: CaptureDrawing.Kind, of id: CaptureID) async throws -> [UInt8]? {
    try await mapped("Reading a drawing") {
      try await database.read { db in
        try Data.fetchOne(
          db, sql: "SELECT bytes FROM capture_drawing WHERE capture_id = ? AND kind = ?",
          arguments: [id.text, kind.rawValue]
        ).map { Array($0) }
      }
    }
  }

  public func drawings(of id: CaptureID) async throws -> [CaptureDrawing.Kind] {
    try await mapped("Reading drawings") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT kind FROM capture_drawing WHERE capture_id = ? ORDER BY kind", arguments: [id.text]
        ).compactMap { CaptureDrawing.Kind(rawValue: $0) }
      }
    }
  }

  public func eraseCapture(_ id: CaptureID) async throws -> [BlobID]? {
    let blobs = try await mapped("Erasing a capture") {
      try await database.write { db -> [BlobID]? in
        let row = try Row.fetchOne(
          db, sql: "DELETE FROM capture WHERE id = ? RETURNING photo_blob, depth_blob, motion_blob",
          arguments: [id.text])
        return row.map { row in row.databaseValues.compactMap { String.fromDatabaseValue($0).flatMap { BlobID($0) } } }
      }
    }
    if blobs != nil { try await shrinkLog() }
    return blobs
  }

  public func wants(_ blob: BlobID) async throws -> Bool {
    try await mapped("Looking for a file's capture") {
      try await database.read { db in
        try Bool.fetchOne(
          db,
          sql: """
            SELECT EXISTS (SELECT 1 FROM capture WHERE ?1 IN (photo_blob, depth_blob, motion_blob))
              OR EXISTS (SELECT 1 FROM scan_file WHERE blob = ?1)
            """,
          arguments: [blob.text]) == true
      }
    }
  }

  // MARK: - Rows

  private static func capture(_ row: Row, id: CaptureID) throws -> CaptureRecord {
    guard let receipt = SecretDigest(bytes: Array(row["receipt_digest"] as Data)),
      let photo = file(row, "photo"), let state = CaptureRecord.State(rawValue: row["state"])
    else { throw damaged("a capture") }
    return CaptureRecord(
      id: id, receipt: receipt, received: UnixTime(milliseconds: row["received_ms"]), photo: photo,
      photoType: row["photo_type"], depth: file(row, "depth"),
      motion: try (row["motion"] as String?).map { try value($0) },
      metadata: (row["metadata"] as Data?).map { Array($0) },
      detection: (row["detection"] as Data?).map { Array($0) }, claims: try value(row["claims"]),
      signature: try (row["signature"] as String?).map { try value($0) },
      history: CaptureHistory(samePhoto: row["same_photo"], counter: row["counter_before"]), state: state,
      results: try (row["results"] as String?).map { try value($0) })
  }

  private static func file(_ row: Row, _ name: String) -> CaptureRecord.File? {
    guard let bytes = row["\(name)_digest"] as Data?, let digest = ContentDigest(bytes: Array(bytes)) else {
      return nil
    }
    return CaptureRecord.File(
      digest: digest, size: row["\(name)_size"], blob: (row["\(name)_blob"] as String?).flatMap { BlobID($0) })
  }

  private static func json(_ value: some Encodable) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      // Only a number that is none can be the reason, and it must not get into the database.
      throw StoreError(.unavailable, reason: "A capture could not be written: \(type(of: error)).")
    }
  }

  private static func value<Value: Decodable>(_ text: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw damaged("a capture")
    }
  }
}
