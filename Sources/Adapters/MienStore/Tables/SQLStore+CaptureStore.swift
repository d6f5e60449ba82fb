internal import MienAuthenticity
internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienCaptures

/// Captures and their visualizations: tables `capture` and `capture_visualization`.
extension SQLStore {
  public func save(
    _ capture: CaptureRecord, quota: Int?, checkLimits: CheckCaptureLimits?
  ) async throws -> CaptureRecord {
    let id = capture.id.text
    let claims = try keyring.json(capture.claims, .captureClaims, of: id)
    let signature = try capture.signature.map { try Self.json($0) }
    let results = try capture.results.map { try keyring.json($0, .captureResults, of: id) }
    let provenance = try capture.provenance.map { try keyring.json($0, .captureProvenance, of: id) }
    let reception = try capture.reception.map { try keyring.json($0, .captureReception, of: id) }
    let motion = try capture.motion.map { try keyring.json($0, .captureMotion, of: id) }
    let metadata = capture.metadata.map { keyring.close($0, .captureMetadata, of: id) }
    let detection = capture.detection.map { keyring.close($0, .captureDetection, of: id) }
    return try await transaction("Storing a capture") { db in
      try Self.requireCheck(capture.check, in: db)
      try Self.requireQuota(for: capture.storedBytes, of: Self.owner(capture.owner), quota: quota, in: db)
      try Self.requireRoom(for: capture, within: checkLimits, in: db)
      var stored = capture
      stored.history = try Self.history(of: capture, in: db)
      let (photo, depth, history) = (stored.photo, stored.depth, stored.history)
      try db.insert(
        "capture",
        [
          "id", "owner", "check_id", "bytes", "receipt_digest", "received_ms", "photo_digest", "photo_size",
          "photo_blob", "photo_type", "depth_digest", "depth_size", "depth_blob", "motion", "motion_blob", "metadata",
          "detection", "claims", "signature", "same_photo", "counter_before", "assertion_before", "state", "results",
          "provenance", "reception",
        ],
        [
          stored.id, Self.owner(stored.owner), stored.check, stored.storedBytes, stored.receipt, stored.received,
          photo.digest, photo.size, photo.blob, stored.photoType, depth?.digest, depth?.size, depth?.blob, motion,
          stored.motion?.blob, metadata, detection, claims, signature, history.samePhoto, history.counter,
          history.assertion, stored.state, results, provenance, reception,
        ])
      return stored
    }
  }

  /// Returns the earlier captures of the same photo, and advances the counters if the signature covers the capture.
  private static func history(of capture: CaptureRecord, in db: any SQLConnection) throws -> CaptureDuplicates {
    // The lock serializes concurrent captures of the same photo on all servers, so that the later one counts the earlier.
    try db.lock("mien capture", capture.photo.digest.description)
    var history = CaptureDuplicates(
      samePhoto: try db.count(
        "SELECT count(*) AS count FROM mien.capture WHERE photo_digest = $1", [capture.photo.digest]))
    guard let signature = capture.signature, signature.standing == .valid else { return history }
    history.counter = try db.first(
      "SELECT counter FROM mien.capture_device WHERE id = $1 FOR UPDATE", [signature.device]
    ).map { try $0["counter"] }
    if signature.covers {
      try db.execute(
        "UPDATE mien.capture_device SET counter = $1 WHERE id = $2 AND counter < $1",
        [signature.counter, signature.device])
    }
    guard let attestation = signature.attestation, let key = attestation.keyID else { return history }
    // The device's row is locked, so that no other transaction changes the counter.
    history.assertion = try db.first(
      "SELECT attested_counter FROM mien.capture_device WHERE id = $1 AND attested_id = $2", [signature.device, key]
    ).map { try $0["attested_counter"] }
    if signature.covers {
      try db.execute(
        """
        UPDATE mien.capture_device SET attested_counter = $1
        WHERE id = $2 AND attested_id = $3 AND attested_counter < $1
        """, [attestation.counter, signature.device, key])
    }
    return history
  }

  public func capture(_ id: CaptureID) async throws -> CaptureRecord? {
    try await read("Reading a capture") { db in
      try db.first("SELECT * FROM mien.capture WHERE id = $1", [id]).map { try capture($0) }
    }
  }

  public func captures(of photo: ContentDigest, limit: Int) async throws -> [CaptureID] {
    try await ids(
      "Looking for captures",
      "SELECT id FROM mien.capture WHERE photo_digest = $1 ORDER BY received_ms, arrival LIMIT $2", [photo, limit])
  }

  public func captures(receivedBefore time: UnixTime, limit: Int) async throws -> [CaptureID] {
    try await ids(
      "Looking for captures",
      "SELECT id FROM mien.capture WHERE received_ms < $1 ORDER BY received_ms, arrival LIMIT $2", [time, limit])
  }

  /// Returns the queued captures that this server may analyze, excluding those of other active servers.
  public func queuedCaptures(limit: Int) async throws -> [CaptureID] {
    let free = """
      state = 'queued' AND (worker IS NULL OR worker = $1 OR worker NOT IN (\(Self.activeServers)))
      """
    // Usually nothing is queued, and reading is cheaper than writing.
    let isWaiting = try await read("Looking for captures") { db in
      try db.exists("SELECT 1 AS one FROM mien.capture WHERE \(free) LIMIT 1", [server])
    }
    guard isWaiting else { return [] }
    return try await transaction("Looking for captures") { db in
      let ids: [CaptureID] = try db.column(
        "id",
        """
        SELECT id FROM mien.capture WHERE \(free) ORDER BY received_ms, arrival LIMIT $2 FOR UPDATE SKIP LOCKED
        """, [server, limit])
      for id in ids { try db.execute("UPDATE mien.capture SET worker = $1 WHERE id = $2", [server, id]) }
      return ids
    }
  }

  public func analyzed(
    _ id: CaptureID, _ results: DetectionResults, provenance: ProvenanceOutcome, reception: ReceptionCredential?,
    visualizations: [CaptureVisualization]
  ) async throws -> Bool {
    let json = try keyring.json(results, .captureResults, of: id.text)
    let origin = try keyring.json(provenance, .captureProvenance, of: id.text)
    let receipt = try reception.map { try keyring.json($0, .captureReception, of: id.text) }
    return try await transaction("Storing an analysis") { db in
      let changed = try db.change(
        """
        UPDATE mien.capture SET state = 'analyzed', results = $1, provenance = $2, reception = $3, worker = NULL
        WHERE id = $4 AND state <> 'hash-only'
        """, [json, origin, receipt, id])
      guard changed > 0 else { return false }
      try db.execute("DELETE FROM mien.capture_visualization WHERE capture_id = $1", [id])
      try db.insert(
        "capture_visualization", ["capture_id", "kind", "bytes"],
        visualizations.map { [id, $0.kind, keyring.close($0.bytes, .visualization, of: id.text, $0.kind.rawValue)] })
      return true
    }
  }

  public func visualization(_ kind: CaptureVisualization.Kind, of id: CaptureID) async throws -> [UInt8]? {
    try await read("Reading a visualization") { db in
      try db.first("SELECT bytes FROM mien.capture_visualization WHERE capture_id = $1 AND kind = $2", [id, kind])
        .map { try keyring.open(try $0["bytes"], .visualization, of: id.text, kind.rawValue) }
    }
  }

  public func visualizations(of id: CaptureID) async throws -> [CaptureVisualization.Kind] {
    try await read("Reading visualizations") { db in
      try db.column("kind", "SELECT kind FROM mien.capture_visualization WHERE capture_id = $1 ORDER BY kind", [id])
    }
  }

  public func deleteCapture(_ id: CaptureID) async throws -> [BlobID]? {
    let blobs = try await write("Deleting a capture") { db -> [BlobID]? in
      try db.first(
        "DELETE FROM mien.capture WHERE id = $1 RETURNING photo_blob, depth_blob, motion_blob", [id]
      ).map { row in
        try [row[optional: "photo_blob"] as BlobID?, row[optional: "depth_blob"], row[optional: "motion_blob"]]
          .compactMap(\.self)
      }
    }
    if blobs != nil { try await purgeReplaced() }
    return blobs
  }

  public func wanted(of blobs: [BlobID]) async throws -> Set<BlobID> {
    guard !blobs.isEmpty else { return [] }
    let query = Self.references(to: blobs)
    return try await read("Looking for references to files") { db in
      Set(try db.column("blob", query.sql, query.values))
    }
  }

  /// Returns a query for those of the blobs that records refer to. At startup all existing blobs are tested, so each part uses an
  /// index.
  static func references(to blobs: [BlobID]) -> SQLQuery {
    let list = blobs.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let columns = [
      ("capture", "photo_blob"), ("capture", "depth_blob"), ("capture", "motion_blob"), ("scan_file", "blob"),
      ("upload_piece", "blob"), ("blob_place", "blob"),
    ]
    let parts = columns.map { table, column in
      "SELECT \(column) AS blob FROM mien.\(table) WHERE \(column) IN (\(list))"
    }
    return SQLQuery(sql: parts.joined(separator: " UNION ALL "), values: blobs)
  }

  // MARK: - Rows

  /// Returns the value of an `owner` column, which is empty without an API key.
  static func owner(_ key: SecretDigest?) -> [UInt8] { key?.bytes ?? [] }

  private func capture(_ row: SQLRow) throws -> CaptureRecord {
    let id: CaptureID = try row["id"]
    guard let photo = try Self.file(row, "photo") else { throw SQLReadError() }
    return CaptureRecord(
      id: id, owner: SecretDigest(bytes: try row["owner"]), check: try row[optional: "check_id"],
      receipt: try row["receipt_digest"], received: try row["received_ms"], photo: photo,
      photoType: try row[optional: "photo_type"], depth: try Self.file(row, "depth"),
      motion: try (row[optional: "motion"] as String?).map { try keyring.value($0, .captureMotion, of: id.text) },
      metadata: try (row[optional: "metadata"] as [UInt8]?).map { try keyring.open($0, .captureMetadata, of: id.text) },
      detection: try (row[optional: "detection"] as [UInt8]?).map {
        try keyring.open($0, .captureDetection, of: id.text)
      },
      claims: try keyring.value(try row["claims"], .captureClaims, of: id.text),
      signature: try (row[optional: "signature"] as String?).map { try Self.value($0) },
      history: CaptureDuplicates(
        samePhoto: try row["same_photo"], counter: try row[optional: "counter_before"],
        assertion: try row[optional: "assertion_before"]),
      state: try row["state"],
      results: try (row[optional: "results"] as String?).map { try keyring.value($0, .captureResults, of: id.text) },
      provenance: try (row[optional: "provenance"] as String?).map {
        try keyring.value($0, .captureProvenance, of: id.text)
      },
      reception: try (row[optional: "reception"] as String?).map {
        try keyring.value($0, .captureReception, of: id.text)
      })
  }

  private static func file(_ row: SQLRow, _ name: String) throws -> CaptureRecord.File? {
    try (row[optional: "\(name)_digest"] as ContentDigest?).map { digest in
      CaptureRecord.File(
        digest: digest, size: try row[optional: "\(name)_size"], blob: try row[optional: "\(name)_blob"])
    }
  }
}
