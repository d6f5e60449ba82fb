internal import Foundation
internal import GRDB
public import MienAuthenticity
internal import MienCore
public import MienService

extension SQLiteStore: CaptureStore {
  // MARK: - Captures

  public func save(_ capture: CaptureRecord, quota: Int?) async throws -> CaptureRecord {
    let id = capture.id.text
    let claims = try keyring.json(capture.claims, .captureClaims, of: id)
    let signature = try capture.signature.map { try Self.json($0) }
    let results = try capture.results.map { try keyring.json($0, .captureResults, of: id) }
    let motion = try capture.motion.map { try keyring.json($0, .captureMotion, of: id) }
    return try await mapped("Keeping a capture") {
      try await database.write { db in
        try Self.requireCheck(capture.check, in: db)
        try Self.requireQuota(
          for: capture.storedBytes, of: capture.owner.map { Data($0.bytes) }, quota: quota, in: db)
        var kept = capture
        kept.history = try Self.history(of: capture, in: db)
        try db.execute(
          sql: """
            INSERT INTO capture (
              id, receipt_digest, received_ms, photo_digest, photo_size, photo_blob, photo_type, depth_digest,
              depth_size, depth_blob, metadata, detection, claims, signature, same_photo, counter_before, state, results,
              motion, motion_blob, assertion_before, owner, check_id, bytes
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            kept.id.text, Data(kept.receipt.bytes), kept.received.milliseconds, Data(kept.photo.digest.bytes),
            kept.photo.size, kept.photo.blob?.text, kept.photoType, kept.depth.map { Data($0.digest.bytes) },
            kept.depth?.size, kept.depth?.blob?.text,
            kept.metadata.map { Data(keyring.close($0, .captureMetadata, of: id)) },
            kept.detection.map { Data(keyring.close($0, .captureDetection, of: id)) },
            claims, signature, kept.history.samePhoto, kept.history.counter, kept.state.rawValue, results,
            motion, kept.motion?.blob?.text, kept.history.assertion, kept.owner.map { Data($0.bytes) },
            kept.check?.text,
            kept.storedBytes,
          ])
        return kept
      }
    }
  }

  /// Returns the earlier captures of the same photo, and advances the counters if the signature covers the capture.
  private static func history(of capture: CaptureRecord, in db: Database) throws -> CaptureDuplicates {
    let same = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM capture WHERE photo_digest = ?", arguments: [Data(capture.photo.digest.bytes)])
    guard let same else { throw damaged("the number of captures") }
    var history = CaptureDuplicates(samePhoto: same)
    guard let signature = capture.signature, signature.standing == .valid else { return history }
    history.counter = try Int64.fetchOne(
      db, sql: "SELECT counter FROM capture_device WHERE id = ?", arguments: [signature.device])
    if signature.covers {
      try db.execute(
        sql: "UPDATE capture_device SET counter = max(counter, ?) WHERE id = ?",
        arguments: [signature.counter, signature.device])
    }
    guard let attestation = signature.attestation, let key = attestation.keyID else { return history }
    let arguments: StatementArguments = [signature.device, Data(key.bytes)]
    history.assertion = try Int64.fetchOne(
      db, sql: "SELECT attested_counter FROM capture_device WHERE id = ? AND attested_id = ?", arguments: arguments)
    if signature.covers {
      try db.execute(
        sql: """
          UPDATE capture_device SET attested_counter = max(attested_counter, ?) WHERE id = ? AND attested_id = ?
          """, arguments: [attestation.counter] + arguments)
    }
    return history
  }

  public func capture(_ id: CaptureID) async throws -> CaptureRecord? {
    try await mapped("Reading a capture") {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT * FROM capture WHERE id = ?", arguments: [id.text])
          .map { try capture($0, id: id) }
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

  public func analyzed(
    _ id: CaptureID, _ results: DetectionResults, drawings: [CaptureVisualization]
  ) async throws -> Bool {
    let json = try keyring.json(results, .captureResults, of: id.text)
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
            arguments: [
              id.text, drawing.kind.rawValue,
              Data(keyring.close(drawing.bytes, .drawing, of: id.text, drawing.kind.rawValue)),
            ])
        }
        return true
      }
    }
  }

  public func drawing(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]? {
    try await mapped("Reading a drawing") {
      try await database.read { db in
        try Data.fetchOne(
          db, sql: "SELECT bytes FROM capture_drawing WHERE capture_id = ? AND kind = ?",
          arguments: [id.text, kind.rawValue]
        ).map { try keyring.open(Array($0), .drawing, of: id.text, kind.rawValue) }
      }
    }
  }

  public func drawings(of id: CaptureID) async throws -> [CaptureVisualization.Kind] {
    try await mapped("Reading drawings") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT kind FROM capture_drawing WHERE capture_id = ? ORDER BY kind", arguments: [id.text]
        ).compactMap { CaptureVisualization.Kind(rawValue: $0) }
      }
    }
  }

  public func deleteCapture(_ id: CaptureID) async throws -> [BlobID]? {
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

  public func wanted(of blobs: [BlobID]) async throws -> Set<BlobID> {
    // A blob ID contains no character that JSON would escape.
    let asked = "[" + blobs.map { "\"\($0.text)\"" }.joined(separator: ",") + "]"
    return try await mapped("Looking for files' captures") {
      try await database.read { db in
        Set(try String.fetchAll(db, sql: Self.named, arguments: [asked]).compactMap { BlobID($0) })
      }
    }
  }

  /// Selects the blobs of a JSON array that records refer to. At startup all existing blobs are tested, so each condition uses an index:
  /// for `value IN (photo_blob, …)` SQLite would scan the whole table for every blob.
  static let named = """
    SELECT value FROM json_each(?1) AS asked
    WHERE EXISTS (SELECT 1 FROM capture WHERE photo_blob = value OR depth_blob = value OR motion_blob = value)
      OR EXISTS (SELECT 1 FROM scan_file WHERE blob = value)
    """

  // MARK: - Rows

  private func capture(_ row: Row, id: CaptureID) throws -> CaptureRecord {
    guard let receipt = SecretDigest(bytes: Array(row["receipt_digest"] as Data)),
      let photo = Self.file(row, "photo"), let state = CaptureRecord.State(rawValue: row["state"])
    else { throw Self.damaged("a capture") }
    return CaptureRecord(
      id: id, owner: (row["owner"] as Data?).flatMap { SecretDigest(bytes: Array($0)) },
      check: (row["check_id"] as String?).flatMap { CheckID($0) }, receipt: receipt,
      received: UnixTime(milliseconds: row["received_ms"]), photo: photo,
      photoType: row["photo_type"], depth: Self.file(row, "depth"),
      motion: try (row["motion"] as String?).map { try keyring.value($0, .captureMotion, of: id.text) },
      metadata: try (row["metadata"] as Data?).map { try keyring.open(Array($0), .captureMetadata, of: id.text) },
      detection: try (row["detection"] as Data?).map { try keyring.open(Array($0), .captureDetection, of: id.text) },
      claims: try keyring.value(row["claims"], .captureClaims, of: id.text),
      signature: try (row["signature"] as String?).map { try Self.value($0) },
      history: CaptureDuplicates(
        samePhoto: row["same_photo"], counter: row["counter_before"], assertion: row["assertion_before"]),
      state: state,
      results: try (row["results"] as String?).map { try keyring.value($0, .captureResults, of: id.text) })
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
      // The only possible cause is a non-finite number, which must not be stored.
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
