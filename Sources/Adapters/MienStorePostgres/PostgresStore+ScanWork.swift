public import MienService

/// Uploaded files, and the processing of scans, which several servers share.
///
/// A server that acquires a scan stores its own ID in the row, and its updates are valid only while that ID is stored there.
extension PostgresStore {
  public func upload(
    _ id: UploadID
  ) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)? {
    try await mapped("Looking for an upload") {
      try await pool.read { db in
        let rows = try db.rows(
          """
          SELECT f.scan_id, s.status, f.name AS file_name, f.type AS file_type, f.bytes AS file_bytes,
            f.received AS file_received, f.upload AS file_upload, f.blob AS file_blob, f.digest AS file_digest
          FROM mien.scan_file f JOIN mien.scan s ON s.id = f.scan_id WHERE f.upload = $1
          """, [id.text])
        guard let row = rows.first else { return nil }
        guard let scan = ScanID(try row["scan_id"]), let status = ScanRecord.Status(rawValue: try row["status"]) else {
          throw Self.damaged("an upload")
        }
        return (scan, status, try Self.file(row))
      }
    }
  }

  public func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult {
    try await mapped("Adding a file to a scan") {
      try await pool.transaction { db in
        // Concurrent additions to the same scan wait here.
        let waits = try db.rows(
          "SELECT owner FROM mien.scan WHERE id = $1 AND status = 'uploading' FOR UPDATE", [id.text])
        guard let scan = waits.first else { return .closed }
        let rows = try db.rows(
          """
          SELECT count(*) AS files, coalesce(sum(bytes), 0)::bigint AS bytes FROM mien.scan_file
          WHERE scan_id = $1 AND role = 'sent'
          """, [id.text])
        guard let row = rows.first else { throw PostgresError(.unreadable) }
        let (files, bytes): (Int, Int) = (try row["files"], try row["bytes"])
        guard files < limits.files, bytes <= limits.bytes - file.bytes else { return .full }
        do {
          try Self.requireQuota(for: file.bytes, of: try scan[maybe: "owner"], quota: limits.ownerBytes, in: &db)
        } catch let error as StoreError where error.code == .full {
          return .overQuota
        }
        try Self.insert([file], role: "sent", of: id, into: &db)
        try db.send("UPDATE mien.scan SET changed_ms = $1 WHERE id = $2", [time.milliseconds, id.text])
        return .added
      }
    }
  }

  public func received(_ bytes: Int, of upload: UploadID, at time: UnixTime) async throws {
    try await mapped("Noting an upload's bytes") {
      try await pool.transaction { db in
        try Self.touch(upload, at: time, in: &db)
        // A delayed update from a server whose client resumed at another server must not decrease the count. If the upload has pieces,
        // they determine the count.
        try db.send(
          """
          UPDATE mien.scan_file SET received = greatest(received, $1) WHERE upload = $2 AND blob IS NULL
            AND NOT EXISTS (SELECT 1 FROM mien.upload_piece p WHERE p.upload = $2)
          """, [bytes, upload.text])
      }
    }
  }

  public func lost(_ upload: UploadID, at time: UnixTime) async throws {
    try await mapped("Noting an upload's bytes") {
      try await pool.transaction { db in
        try Self.touch(upload, at: time, in: &db)
        // A statement that waits for a row lock does not see rows added meanwhile; the next statement does.
        try db.send("SELECT 1::bigint AS one FROM mien.scan_file WHERE upload = $1 FOR UPDATE", [upload.text])
        // Stored pieces of an upload are not lost.
        try db.send(
          """
          UPDATE mien.scan_file SET worker = NULL,
            received = coalesce((SELECT max(finish) FROM mien.upload_piece p WHERE p.upload = $1), 0)
          WHERE upload = $1 AND blob IS NULL
          """, [upload.text])
      }
    }
  }

  private static func touch(_ upload: UploadID, at time: UnixTime, in db: inout PostgresConnection) throws {
    try db.send(
      "UPDATE mien.scan SET changed_ms = $1 WHERE id = (SELECT scan_id FROM mien.scan_file WHERE upload = $2)",
      [time.milliseconds, upload.text])
  }

  public func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool {
    try await mapped("Keeping an upload") {
      try await pool.transaction { db in
        try Self.touch(upload, at: time, in: &db)
        return try db.change(
          """
          UPDATE mien.scan_file SET type = $1, blob = $2, digest = $3, received = bytes
          WHERE upload = $4 AND blob IS NULL
          """, [type, blob.text, digest.bytes, upload.text]) > 0
      }
    }
  }

  public func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs? {
    try await mapped("Erasing an upload") {
      try await pool.write { db in
        var deleted = DeletedScanBlobs()
        return try Self.deleteFiles("upload = $1", id.text, into: &deleted, in: &db) > 0 ? deleted : nil
      }
    }
  }

  // MARK: - Work

  public func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool {
    let names = before.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
    let isWhole =
      status == .queued
      ? " AND NOT EXISTS (SELECT 1 FROM mien.scan_file f WHERE f.scan_id = scan.id AND f.blob IS NULL)" : ""
    // Processing is ended by its server, by any server once that server is inactive, and by a cancellation.
    let isOurs =
      status == .cancelled
      ? "" : " AND (status <> 'working' OR worker IS NULL OR worker = $6 OR worker NOT IN (\(Self.living)))"
    return try await mapped("Changing a scan's state") {
      try await pool.transaction { db in
        // A statement that starts after the lock is acquired sees a concurrently added file; one that waits for the lock does not.
        try db.send("SELECT id FROM mien.scan WHERE id = $1 FOR UPDATE", [id.text])
        return try db.change(
          """
          UPDATE mien.scan SET status = $1, problem_code = $2, problem_detail = $3, phase = NULL, fraction = NULL,
            changed_ms = $4, worker = NULL
          WHERE id = $5 AND status IN (\(names))\(isWhole)\(isOurs)
          """,
          [
            status.rawValue, problem?.code, problem.map { String($0.detail.prefix(4000)) }, time.milliseconds, id.text,
          ] + (isOurs.isEmpty ? [] : [server])) > 0
      }
    }
  }

  public func setAttempts(_ attempts: Int, of id: ScanID) async throws {
    _ = try await change(
      "Counting attempts", "UPDATE mien.scan SET attempts = greatest($1, 0) WHERE id = $2", [attempts, id.text])
  }

  public func acquire(at time: UnixTime) async throws -> ScanRecord? {
    try await mapped("Taking up a scan") {
      // Usually nothing is queued, and reading is cheaper than writing.
      let waits = try await pool.read { db in
        try !db.rows("SELECT 1::bigint AS one FROM mien.scan WHERE status = 'queued' LIMIT 1").isEmpty
      }
      guard waits else { return nil }
      return try await pool.transaction { db in
        // Rows locked by another server are skipped: no server waits, and no scan is acquired twice.
        let taken = try db.rows(
          """
          UPDATE mien.scan SET status = 'working', attempts = attempts + 1, changed_ms = $1, phase = 'reading',
            fraction = 0, worker = $2
          WHERE id = (
            SELECT id FROM mien.scan WHERE status = 'queued' ORDER BY changed_ms, arrival LIMIT 1
            FOR UPDATE SKIP LOCKED
          )
          RETURNING id
          """, [time.milliseconds, server])
        guard let id = try taken.first.flatMap({ ScanID(try $0["id"]) }) else { return nil }
        return try scan(id, in: &db)
      }
    }
  }

  public func putBack(at time: UnixTime) async throws -> Int {
    try await mapped("Putting scans back") {
      try await pool.write { db in
        try db.change(
          """
          UPDATE mien.scan SET status = 'queued', attempts = greatest(attempts - 1, 0), changed_ms = $1, phase = NULL,
            fraction = NULL, worker = NULL
          WHERE status = 'working' AND worker = $2
          """, [time.milliseconds, server])
      }
    }
  }

  /// Returns the scans in processing whose server is inactive.
  public func workingScans() async throws -> [ScanRecord] {
    try await mapped("Looking for scans") {
      try await pool.read { db in
        try db.rows(
          """
          SELECT id FROM mien.scan
          WHERE status = 'working' AND (worker IS NULL OR worker NOT IN (\(Self.living))) ORDER BY changed_ms, arrival
          """
        ).compactMap { row in try ScanID(try row["id"]).flatMap { try scan($0, in: &db) } }
      }
    }
  }

  public func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool {
    try await change(
      "Noting progress",
      """
      UPDATE mien.scan SET phase = $1, fraction = $2, changed_ms = $3
      WHERE id = $4 AND status = 'working' AND worker = $5
      """, [progress.phase.rawValue, progress.fraction, time.milliseconds, id.text, server])
  }

  public func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]? {
    let json = try keyring.json(outcome, .scanOutcome, of: id.text)
    return try await mapped("Keeping a scan's results") {
      try await pool.transaction { db in
        let changed = try db.change(
          """
          UPDATE mien.scan SET status = 'done', outcome = $1, phase = NULL, fraction = NULL, changed_ms = $2,
            worker = NULL
          WHERE id = $3 AND status = 'working' AND worker = $4
          """, [json, time.milliseconds, id.text, server])
        guard changed > 0 else { return nil }
        let old = try db.rows(
          "DELETE FROM mien.scan_file WHERE scan_id = $1 AND role = 'result' RETURNING blob", [id.text]
        ).compactMap { (try $0[maybe: "blob"] as String?).flatMap { BlobID($0) } }
        try Self.insert(results, role: "result", of: id, into: &db)
        return old
      }
    }
  }
}
