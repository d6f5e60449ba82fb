public import MienAuthenticity
internal import MienCore
public import MienService

extension PostgresStore: CaptureStore {
  // MARK: - Captures

  public func save(_ capture: CaptureRecord, quota: Int?) async throws -> CaptureRecord {
    let id = capture.id.text
    let claims = try keyring.json(capture.claims, .captureClaims, of: id)
    let signature = try capture.signature.map { try Self.json($0) }
    let results = try capture.results.map { try keyring.json($0, .captureResults, of: id) }
    let motion = try capture.motion.map { try keyring.json($0, .captureMotion, of: id) }
    return try await mapped("Keeping a capture") {
      try await pool.transaction { db in
        try Self.requireCheck(capture.check, in: &db)
        try Self.requireQuota(for: capture.storedBytes, of: capture.owner?.bytes, quota: quota, in: &db)
        var kept = capture
        kept.history = try Self.history(of: capture, in: &db)
        try db.insert(
          "capture",
          [
            "id", "receipt_digest", "received_ms", "photo_digest", "photo_size", "photo_blob", "photo_type",
            "depth_digest", "depth_size", "depth_blob", "metadata", "detection", "claims", "signature", "same_photo",
            "counter_before", "state", "results", "motion", "motion_blob", "assertion_before",
            "owner", "check_id", "bytes",
          ],
          [
            [
              kept.id.text, kept.receipt.bytes, kept.received.milliseconds, kept.photo.digest.bytes, kept.photo.size,
              kept.photo.blob?.text, kept.photoType, kept.depth?.digest.bytes, kept.depth?.size,
              kept.depth?.blob?.text, kept.metadata.map { keyring.close($0, .captureMetadata, of: id) },
              kept.detection.map { keyring.close($0, .captureDetection, of: id) }, claims, signature,
              kept.history.samePhoto,
              kept.history.counter, kept.state.rawValue, results, motion, kept.motion?.blob?.text,
              kept.history.assertion, kept.owner?.bytes, kept.check?.text, kept.storedBytes,
            ]
          ])
        return kept
      }
    }
  }

  /// Returns the earlier captures of the same photo, and advances the counters if the signature covers the capture.
  private static func history(
    of capture: CaptureRecord, in db: inout PostgresConnection
  ) throws -> CaptureDuplicates {
    // Of two concurrent captures of one photo, on any servers, one counts the other.
    try db.advisoryLock("mien capture", capture.photo.digest.description)
    let same: Int = try db.rows(
      "SELECT count(*) AS count FROM mien.capture WHERE photo_digest = $1", [capture.photo.digest.bytes])[0]["count"]
    var history = CaptureDuplicates(samePhoto: same)
    guard let signature = capture.signature, signature.standing == .valid else { return history }
    let device = try db.rows(
      "SELECT counter FROM mien.capture_device WHERE id = $1 FOR UPDATE", [signature.device])
    history.counter = try device.first.map { try $0["counter"] }
    if signature.covers {
      try db.send(
        "UPDATE mien.capture_device SET counter = greatest(counter, $1) WHERE id = $2",
        [signature.counter, signature.device])
    }
    guard let attestation = signature.attestation, let key = attestation.keyID else { return history }
    // The device's row is locked, so that no other transaction changes the counter.
    history.assertion = try db.rows(
      "SELECT attested_counter FROM mien.capture_device WHERE id = $1 AND attested_id = $2",
      [signature.device, key.bytes]
    ).first.map { try $0["attested_counter"] }
    if signature.covers {
      try db.send(
        """
        UPDATE mien.capture_device SET attested_counter = greatest(attested_counter, $1)
        WHERE id = $2 AND attested_id = $3
        """, [attestation.counter, signature.device, key.bytes])
    }
    return history
  }

  public func capture(_ id: CaptureID) async throws -> CaptureRecord? {
    try await mapped("Reading a capture") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.capture WHERE id = $1", [id.text]).first.map { try capture($0, id: id) }
      }
    }
  }

  public func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await pool.read { db in
        try db.rows(
          "SELECT id FROM mien.capture WHERE photo_digest = $1 ORDER BY received_ms, arrival LIMIT $2",
          [photo.bytes, limit]
        ).compactMap { CaptureID(try $0["id"]) }
      }
    }
  }

  /// Returns the queued captures that this server may analyze, excluding those of other active servers.
  public func queuedCaptures(limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      // Usually nothing is queued, and reading is cheaper than writing.
      let free = "state = 'queued' AND (worker IS NULL OR worker = $1 OR worker NOT IN (\(Self.living)))"
      let waits = try await pool.read { db in
        try !db.rows("SELECT 1::bigint AS one FROM mien.capture WHERE \(free) LIMIT 1", [server]).isEmpty
      }
      guard waits else { return [] }
      return try await pool.write { db in
        try db.rows(
          """
          WITH taken AS (
            UPDATE mien.capture SET worker = $1 WHERE id IN (
              SELECT id FROM mien.capture WHERE \(free) ORDER BY received_ms, arrival LIMIT $2 FOR UPDATE SKIP LOCKED
            )
            RETURNING id, received_ms, arrival
          )
          SELECT id FROM taken ORDER BY received_ms, arrival
          """, [server, limit]
        ).compactMap { CaptureID(try $0["id"]) }
      }
    }
  }

  public func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID] {
    try await mapped("Looking for captures") {
      try await pool.read { db in
        try db.rows(
          "SELECT id FROM mien.capture WHERE received_ms < $1 ORDER BY received_ms, arrival LIMIT $2",
          [time.milliseconds, limit]
        ).compactMap { CaptureID(try $0["id"]) }
      }
    }
  }

  public func analyzed(
    _ id: CaptureID, _ results: DetectionResults, drawings: [CaptureVisualization]
  ) async throws -> Bool {
    let json = try keyring.json(results, .captureResults, of: id.text)
    return try await mapped("Keeping an analysis") {
      try await pool.transaction { db in
        let changed = try db.change(
          """
          UPDATE mien.capture SET state = 'analysed', results = $1, worker = NULL
          WHERE id = $2 AND state <> 'hash-only'
          """,
          [json, id.text])
        guard changed > 0 else { return false }
        try db.send("DELETE FROM mien.capture_drawing WHERE capture_id = $1", [id.text])
        try db.insert(
          "capture_drawing", ["capture_id", "kind", "bytes"],
          drawings.map { drawing in
            let kind = drawing.kind.rawValue
            return [id.text, kind, keyring.close(drawing.bytes, .drawing, of: id.text, kind)]
          })
        return true
      }
    }
  }

  public func drawing(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]? {
    try await mapped("Reading a drawing") {
      try await pool.read { db in
        try db.rows(
          "SELECT bytes FROM mien.capture_drawing WHERE capture_id = $1 AND kind = $2", [id.text, kind.rawValue]
        ).first.map { try keyring.open(try $0["bytes"], .drawing, of: id.text, kind.rawValue) }
      }
    }
  }

  public func drawings(of id: CaptureID) async throws -> [CaptureVisualization.Kind] {
    try await mapped("Reading drawings") {
      try await pool.read { db in
        try db.rows("SELECT kind FROM mien.capture_drawing WHERE capture_id = $1 ORDER BY kind", [id.text])
          .compactMap { CaptureVisualization.Kind(rawValue: try $0["kind"]) }
      }
    }
  }

  public func deleteCapture(_ id: CaptureID) async throws -> [BlobID]? {
    try await mapped("Erasing a capture") {
      try await pool.write { db in
        try db.rows("DELETE FROM mien.capture WHERE id = $1 RETURNING photo_blob, depth_blob, motion_blob", [id.text])
          .first.map {
            row in
            try [row[maybe: "photo_blob"] as String?, row[maybe: "depth_blob"], row[maybe: "motion_blob"]]
              .compactMap { $0.flatMap { BlobID($0) } }
          }
      }
    }
  }

  public func wanted(of blobs: [BlobID]) async throws -> Set<BlobID> {
    // A blob ID contains no character that JSON would escape.
    let asked = "[" + blobs.map { "\"\($0.text)\"" }.joined(separator: ",") + "]"
    return try await mapped("Looking for files' captures") {
      try await pool.read { db in
        let rows = try db.rows(
          """
          SELECT value FROM jsonb_array_elements_text($1::text::jsonb) AS asked (value)
          WHERE EXISTS (SELECT 1 FROM mien.capture
              WHERE photo_blob = value OR depth_blob = value OR motion_blob = value)
            OR EXISTS (SELECT 1 FROM mien.scan_file WHERE blob = value)
            OR EXISTS (SELECT 1 FROM mien.upload_piece WHERE blob = value)
            OR EXISTS (SELECT 1 FROM mien.blob_place WHERE blob = value)
          """, [asked])
        return Set(try rows.compactMap { BlobID(try $0["value"]) })
      }
    }
  }

  // MARK: - Rows

  private func capture(_ row: PostgresRow, id: CaptureID) throws -> CaptureRecord {
    guard let receipt = SecretDigest(bytes: try row["receipt_digest"]), let photo = try Self.file(row, "photo"),
      let state = CaptureRecord.State(rawValue: try row["state"])
    else { throw Self.damaged("a capture") }
    return CaptureRecord(
      id: id, owner: (try row[maybe: "owner"] as [UInt8]?).flatMap { SecretDigest(bytes: $0) },
      check: (try row[maybe: "check_id"] as String?).flatMap { CheckID($0) }, receipt: receipt,
      received: UnixTime(milliseconds: try row["received_ms"]), photo: photo,
      photoType: try row[maybe: "photo_type"], depth: try Self.file(row, "depth"),
      motion: try (row[maybe: "motion"] as String?).map { try keyring.value($0, .captureMotion, of: id.text) },
      metadata: try (row[maybe: "metadata"] as [UInt8]?).map { try keyring.open($0, .captureMetadata, of: id.text) },
      detection: try (row[maybe: "detection"] as [UInt8]?).map { try keyring.open($0, .captureDetection, of: id.text) },
      claims: try keyring.value(try row["claims"], .captureClaims, of: id.text),
      signature: try (row[maybe: "signature"] as String?).map { try Self.value($0, "a capture") },
      history: CaptureDuplicates(
        samePhoto: try row["same_photo"], counter: try row[maybe: "counter_before"],
        assertion: try row[maybe: "assertion_before"]),
      state: state,
      results: try (row[maybe: "results"] as String?).map { try keyring.value($0, .captureResults, of: id.text) })
  }

  private static func file(_ row: PostgresRow, _ name: String) throws -> CaptureRecord.File? {
    guard let bytes = try row[maybe: "\(name)_digest"] as [UInt8]?, let digest = ContentDigest(bytes: bytes) else {
      return nil
    }
    return CaptureRecord.File(
      digest: digest, size: try row[maybe: "\(name)_size"],
      blob: (try row[maybe: "\(name)_blob"] as String?).flatMap { BlobID($0) })
  }
}
