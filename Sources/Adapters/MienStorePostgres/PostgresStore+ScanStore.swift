internal import Foundation
internal import MienCore
public import MienService

extension PostgresStore: ScanStore {
  // MARK: - Saving and reading

  public func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws {
    try await mapped("Keeping a scan") {
      try await pool.transaction { db in
        try Self.requireCheck(scan.check, in: &db)
        try Self.requireQuota(for: scan.files.reduce(0) { $0 + $1.bytes }, of: owner?.bytes, quota: quota, in: &db)
        try db.insert(
          "scan",
          [
            "id", "subject", "label", "kind", "photos_expected", "created_ms", "changed_ms", "owner", "status",
            "attempts", "request", "check_id",
          ],
          [
            [
              scan.id.text, scan.subject?.text, scan.label, scan.kind.rawValue, scan.photosExpected,
              scan.created.milliseconds, scan.changed.milliseconds, owner?.bytes, scan.status.rawValue, scan.attempts,
              request, scan.check?.text,
            ]
          ])
        try Self.insert(scan.files, role: "sent", of: scan.id, into: &db)
      }
    }
  }

  /// Inserts files in batches, because a statement accepts at most 65,535 values.
  static func insert(
    _ files: [ScanRecord.File], role: String, of id: ScanID, into db: inout PostgresConnection
  ) throws {
    for start in stride(from: 0, to: files.count, by: 1000) {
      try db.insert(
        "scan_file", ["scan_id", "role", "name", "type", "bytes", "received", "upload", "blob", "digest"],
        files[start..<min(start + 1000, files.count)].map { file in
          [
            id.text, role, file.name, file.type, file.bytes, file.received, file.upload?.text, file.blob?.text,
            file.digest?.bytes,
          ]
        })
    }
  }

  public func scan(of owner: SecretDigest?, request: String) async throws -> ScanID? {
    try await mapped("Looking for a scan") {
      try await pool.read { db in
        try db.rows(
          "SELECT id FROM mien.scan WHERE coalesce(owner, ''::bytea) = $1 AND request = $2",
          [owner?.bytes ?? [], request]
        ).first.flatMap { ScanID(try $0["id"]) }
      }
    }
  }

  public func scan(_ id: ScanID) async throws -> ScanRecord? {
    try await mapped("Reading a scan") {
      try await pool.read { db in try scan(id, in: &db) }
    }
  }

  /// Reads a scan with a single statement, which sees a consistent state.
  func scan(_ id: ScanID, in db: inout PostgresConnection) throws -> ScanRecord? {
    let rows = try db.rows(
      """
      SELECT s.*, p.name AS subject_name, f.role AS file_role, f.name AS file_name, f.type AS file_type,
        f.bytes AS file_bytes, f.received AS file_received, f.upload AS file_upload, f.blob AS file_blob,
        f.digest AS file_digest
      FROM mien.scan s LEFT JOIN mien.scan_subject p ON p.id = s.subject
        LEFT JOIN mien.scan_file f ON f.scan_id = s.id
      WHERE s.id = $1 ORDER BY f.name COLLATE "C"
      """, [id.text])
    guard let first = rows.first else { return nil }
    var scan = try self.scan(first)
    for row in rows {
      guard let role = try row[maybe: "file_role"] as String? else { continue }
      if role == "sent" { scan.files.append(try Self.file(row)) } else { scan.results.append(try Self.file(row)) }
    }
    return scan
  }

  public func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord> {
    var wanted = WhereClauseBuilder()
    if let subject = query.subject { wanted.add("s.subject = ?", subject.text) }
    if let created = query.created {
      wanted.add("s.created_ms BETWEEN ? AND ?", created.lowerBound, created.upperBound)
    }
    if let status = query.status { wanted.add("s.status = ?", status.rawValue) }
    if let label = query.label { wanted.add("s.label = ?", label) }
    if let text = query.text {
      let pattern = Self.pattern(text)
      wanted.add("(s.label ILIKE ? ESCAPE '\\' OR p.name ILIKE ? ESCAPE '\\')", pattern, pattern)
    }
    let counted = wanted
    if let after = query.after { wanted.add("(s.created_ms, s.id) < (?, ?)", after.milliseconds, after.id) }
    let (page, places) = (wanted, "mien.scan s LEFT JOIN mien.scan_subject p ON p.id = s.subject")
    return try await mapped("Listing scans") {
      try await pool.read { db in
        let total: Int = try db.rows(
          "SELECT count(*) AS count FROM \(places)\(counted.clause)", counted.values)[0]["count"]
        let scans = try db.rows(
          """
          SELECT s.*, p.name AS subject_name FROM \(places)\(page.clause)
          ORDER BY s.created_ms DESC, s.id DESC LIMIT $\(page.values.count + 1)
          """, page.values + [query.limit + 1]
        ).map { try scan($0) }
        let items = scans.prefix(query.limit)
        let next = scans.count > query.limit ? items.last : nil
        return ScanPage(
          items: Array(items), total: total,
          next: next.map { PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text) })
      }
    }
  }

  /// Returns a LIKE pattern that matches text containing `text`.
  static func pattern(_ text: String) -> String {
    "%" + text.reduce(into: "") { $0 += "\\%_".contains($1) ? "\\\($1)" : "\($1)" } + "%"
  }

  public func openScans(of owner: SecretDigest?) async throws -> Int {
    try await mapped("Counting scans") {
      try await pool.read { db in
        try db.rows(
          """
          SELECT count(*) AS count FROM mien.scan WHERE status = 'uploading' AND coalesce(owner, ''::bytea) = $1
          """, [owner?.bytes ?? []])[0]["count"]
      }
    }
  }

  public func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool {
    try await change(
      "Describing a scan", "UPDATE mien.scan SET subject = $1, label = $2 WHERE id = $3",
      [subject?.text, label, id.text])
  }

  public func scan(ofContent digest: ContentDigest) async throws -> ScanID? {
    try await mapped("Looking for a scan") {
      try await pool.read { db in
        try db.rows(
          """
          SELECT id FROM mien.scan WHERE content = $1 AND status IN ('queued', 'working', 'done')
          ORDER BY created_ms DESC LIMIT 1
          """, [digest.bytes]
        ).first.flatMap { ScanID(try $0["id"]) }
      }
    }
  }

  public func setContent(_ digest: ContentDigest, of id: ScanID) async throws {
    _ = try await change(
      "Noting a scan's content", "UPDATE mien.scan SET content = $1 WHERE id = $2", [digest.bytes, id.text])
  }

  // MARK: - Deletion

  public func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs? {
    try await mapped("Erasing a scan") {
      try await pool.transaction { db in
        // Locks the scan before its files, as all writers do, to prevent deadlocks.
        guard try !db.rows("SELECT id FROM mien.scan WHERE id = $1 FOR UPDATE", [id.text]).isEmpty else { return nil }
        var deleted = DeletedScanBlobs()
        deleted.scans = 1
        try Self.deleteFiles("scan_id = $1", id.text, into: &deleted, in: &db)
        try db.send("DELETE FROM mien.scan WHERE id = $1", [id.text])
        return deleted
      }
    }
  }

  /// Deletes files and collects their blobs and uploads, which are stored outside the database.
  @discardableResult
  static func deleteFiles(
    _ condition: String, _ value: String, into deleted: inout DeletedScanBlobs, in db: inout PostgresConnection
  ) throws -> Int {
    let rows = try db.rows("DELETE FROM mien.scan_file WHERE \(condition) RETURNING upload, blob", [value])
    for row in rows {
      if let blob = (try row[maybe: "blob"] as String?).flatMap({ BlobID($0) }) { deleted.blobs.append(blob) }
      if let upload = (try row[maybe: "upload"] as String?).flatMap({ UploadID($0) }) { deleted.uploads.append(upload) }
    }
    return rows.count
  }

  public func abandonedScans(before time: UnixTime) async throws -> [ScanID] {
    try await scanIDs(
      "SELECT id FROM mien.scan WHERE status IN ('uploading', 'failed', 'cancelled') AND changed_ms < $1 LIMIT 100",
      time.milliseconds)
  }

  public func scans(createdBefore time: UnixTime) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM mien.scan WHERE created_ms < $1 LIMIT 100", time.milliseconds)
  }

  func scanIDs(_ sql: String, _ value: any PostgresBindable) async throws -> [ScanID] {
    try await mapped("Looking for scans") {
      try await pool.read { db in try db.rows(sql, [value]).compactMap { ScanID(try $0["id"]) } }
    }
  }

  public func wantsUpload(_ id: UploadID) async throws -> Bool {
    try await exists("SELECT 1::bigint AS one FROM mien.scan_file WHERE upload = $1 AND blob IS NULL", id.text)
  }

  private func exists(_ sql: String, _ value: String) async throws -> Bool {
    try await mapped("Looking for a file's scan") {
      try await pool.read { db in try !db.rows(sql, [value]).isEmpty }
    }
  }

  /// Executes a statement and reports whether it changed a row.
  func change(_ what: String, _ sql: String, _ values: [(any PostgresBindable)?]) async throws -> Bool {
    try await mapped(what) {
      try await pool.write { db in try db.change(sql, values) > 0 }
    }
  }

  // MARK: - Rows

  private func scan(_ row: PostgresRow) throws -> ScanRecord {
    guard let id = ScanID(try row["id"]), let kind = ScanRecord.Kind(rawValue: try row["kind"]),
      let status = ScanRecord.Status(rawValue: try row["status"])
    else { throw Self.damaged("a scan") }
    var scan = ScanRecord(
      id: id, check: (try row[maybe: "check_id"] as String?).flatMap { CheckID($0) },
      subject: (try row[maybe: "subject"] as String?).flatMap { ScanSubjectID($0) },
      subjectName: try row[maybe: "subject_name"], label: try row[maybe: "label"], kind: kind,
      photosExpected: try row["photos_expected"], created: UnixTime(milliseconds: try row["created_ms"]),
      changed: UnixTime(milliseconds: try row["changed_ms"]), status: status, attempts: try row["attempts"], files: [])
    if let phase = (try row[maybe: "phase"] as String?).flatMap({ ScanRecord.Progress.Phase(rawValue: $0) }),
      let fraction = try row[maybe: "fraction"] as Double?
    {
      scan.progress = ScanRecord.Progress(phase, fraction)
    }
    if let code = try row[maybe: "problem_code"] as String?, let detail = try row[maybe: "problem_detail"] as String? {
      scan.problem = ScanRecord.Problem(code: code, detail: detail)
    }
    scan.outcome = try (row[maybe: "outcome"] as String?).map { try keyring.value($0, .scanOutcome, of: id.text) }
    return scan
  }

  static func file(_ row: PostgresRow) throws -> ScanRecord.File {
    ScanRecord.File(
      name: try row["file_name"], bytes: try row["file_bytes"], received: try row["file_received"],
      type: try row["file_type"], blob: (try row[maybe: "file_blob"] as String?).flatMap { BlobID($0) },
      digest: (try row[maybe: "file_digest"] as [UInt8]?).flatMap { ContentDigest(bytes: $0) },
      upload: (try row[maybe: "file_upload"] as String?).flatMap { UploadID($0) })
  }
}
