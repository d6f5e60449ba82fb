internal import MienPlatform
internal import MienSecurity
internal import MienScanService

/// Uploaded files, and the processing of scans, which several servers may share.
///
/// A server that acquires a scan stores its own ID in the row, and its updates are valid only while that ID is stored there.
extension SQLStore {
  public func upload(
    _ id: UploadID
  ) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)? {
    try await read("Looking for an upload") { db in
      try db.first(
        """
        SELECT f.scan_id, s.status, \(Self.fileColumns)
        FROM mien.scan_file f JOIN mien.scan s ON s.id = f.scan_id WHERE f.upload = $1
        """, [id]
      ).map { (try $0["scan_id"], try $0["status"], try Self.file($0)) }
    }
  }

  public func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult {
    try await transaction("Adding a file to a scan") { db in
      // Concurrent additions to the same scan wait here.
      let scan = try db.first("SELECT owner FROM mien.scan WHERE id = $1 AND status = 'uploading' FOR UPDATE", [id])
      guard let scan else { return .closed }
      let row = try db.first(
        """
        SELECT count(*) AS files, CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes FROM mien.scan_file
        WHERE scan_id = $1 AND role = 'sent'
        """, [id])
      guard let row else { throw SQLReadError() }
      let (files, bytes): (Int, Int) = (try row["files"], try row["bytes"])
      guard files < limits.files, bytes <= limits.bytes - file.bytes else { return .full }
      do {
        try Self.requireQuota(for: file.bytes, of: try scan["owner"], quota: limits.ownerBytes, in: db)
      } catch let error as StoreError where error.code == .full {
        return .overQuota
      }
      try Self.insert([file], role: "sent", of: id, into: db)
      try db.execute("UPDATE mien.scan SET changed_ms = $1 WHERE id = $2", [time, id])
      return .added
    }
  }

  public func lost(_ upload: UploadID, at time: UnixTime) async throws {
    try await transaction("Recording an upload's bytes") { db in
      try Self.touch(upload, at: time, in: db)
      // A statement that waits for a row lock does not see rows added meanwhile; the next statement does.
      try db.execute("SELECT 1 AS one FROM mien.scan_file WHERE upload = $1 FOR UPDATE", [upload])
      // Stored pieces of an upload are not lost.
      try db.execute(
        """
        UPDATE mien.scan_file SET worker = NULL,
          received = coalesce((SELECT max(finish) FROM mien.upload_piece p WHERE p.upload = $1), 0)
        WHERE upload = $1 AND blob IS NULL
        """, [upload])
    }
  }

  static func touch(_ upload: UploadID, at time: UnixTime, in db: any SQLConnection) throws {
    try db.execute(
      "UPDATE mien.scan SET changed_ms = $1 WHERE id = (SELECT scan_id FROM mien.scan_file WHERE upload = $2)",
      [time, upload])
  }

  public func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool {
    try await transaction("Storing an upload") { db in
      try Self.touch(upload, at: time, in: db)
      return try db.change(
        """
        UPDATE mien.scan_file SET type = $1, blob = $2, digest = $3, received = bytes
        WHERE upload = $4 AND blob IS NULL
        """, [type, blob, digest, upload]) > 0
    }
  }

  public func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs? {
    try await write("Deleting an upload") { db in
      var deleted = DeletedScanBlobs()
      return try Self.deleteFiles("upload = $1", id, into: &deleted, in: db) > 0 ? deleted : nil
    }
  }

  // MARK: - Work

  public func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool {
    let names = before.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let isComplete =
      status == .queued
      ? " AND NOT EXISTS (SELECT 1 FROM mien.scan_file f WHERE f.scan_id = scan.id AND f.blob IS NULL)" : ""
    // Processing is ended by its server, by any server once that server is inactive, and by a cancellation.
    let isOurs =
      status == .cancelled
      ? "" : " AND (status <> 'working' OR worker IS NULL OR worker = $6 OR worker NOT IN (\(Self.activeServers)))"
    let values: [(any SQLBindable)?] = [
      status, problem?.code, problem.map { String($0.detail.prefix(4000)) }, time, id,
    ]
    return try await transaction("Changing a scan's state") { db in
      // A statement that starts after the lock is acquired sees a concurrently added file; one that waits for the lock does not.
      try db.execute("SELECT id FROM mien.scan WHERE id = $1 FOR UPDATE", [id])
      return try db.change(
        """
        UPDATE mien.scan SET status = $1, problem_code = $2, problem_detail = $3, phase = NULL, fraction = NULL,
          changed_ms = $4, worker = NULL
        WHERE id = $5 AND status IN (\(names))\(isComplete)\(isOurs)
        """, values + (isOurs.isEmpty ? [] : [server])) > 0
    }
  }

  public func setAttempts(_ attempts: Int, of id: ScanID) async throws {
    _ = try await change(
      "Counting attempts", "UPDATE mien.scan SET attempts = $1 WHERE id = $2", [max(attempts, 0), id])
  }

  public func acquire(at time: UnixTime) async throws -> ScanRecord? {
    // Usually nothing is queued, and reading is cheaper than writing.
    let isWaiting = try await read("Acquiring a scan") { db in
      try db.exists("SELECT 1 AS one FROM mien.scan WHERE status = 'queued' LIMIT 1")
    }
    guard isWaiting else { return nil }
    return try await transaction("Acquiring a scan") { db in
      // Rows locked by another server are skipped: no server waits, and no scan is acquired twice.
      let taken = try db.first(
        """
        UPDATE mien.scan SET status = 'working', attempts = attempts + 1, changed_ms = $1, phase = 'reading',
          fraction = 0, worker = $2
        WHERE id = (
          SELECT id FROM mien.scan WHERE status = 'queued' ORDER BY changed_ms, arrival LIMIT 1
          FOR UPDATE SKIP LOCKED
        )
        RETURNING id
        """, [time, server])
      return try taken.flatMap { try scan(try $0["id"], in: db) }
    }
  }

  public func putBack(at time: UnixTime) async throws -> Int {
    try await change(
      "Requeuing scans",
      """
      UPDATE mien.scan SET status = 'queued', attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END,
        changed_ms = $1, phase = NULL, fraction = NULL, worker = NULL
      WHERE status = 'working' AND worker = $2
      """, [time, server])
  }

  /// Returns the scans in processing whose server is inactive.
  public func workingScans() async throws -> [ScanRecord] {
    try await read("Looking for scans") { db in
      let ids: [ScanID] = try db.column(
        "id",
        """
        SELECT id FROM mien.scan
        WHERE status = 'working' AND (worker IS NULL OR worker NOT IN (\(Self.activeServers)))
        ORDER BY changed_ms, arrival
        """)
      return try ids.compactMap { try scan($0, in: db) }
    }
  }

  public func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool {
    try await change(
      "Recording progress",
      """
      UPDATE mien.scan SET phase = $1, fraction = $2, changed_ms = $3
      WHERE id = $4 AND status = 'working' AND worker = $5
      """, [progress.phase, progress.fraction, time, id, server]) > 0
  }

  public func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]? {
    let json = try keyring.json(outcome, .scanOutcome, of: id.text)
    return try await transaction("Storing a scan's results") { db in
      let changed = try db.change(
        """
        UPDATE mien.scan SET status = 'done', outcome = $1, phase = NULL, fraction = NULL, changed_ms = $2,
          worker = NULL
        WHERE id = $3 AND status = 'working' AND worker = $4
        """, [json, time, id, server])
      guard changed > 0 else { return nil }
      let old: [BlobID] = try db.column(
        "blob", "DELETE FROM mien.scan_file WHERE scan_id = $1 AND role = 'result' RETURNING blob", [id])
      try Self.insert(results, role: "result", of: id, into: db)
      return old
    }
  }
}
