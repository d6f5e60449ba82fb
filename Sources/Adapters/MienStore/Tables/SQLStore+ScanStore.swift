internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienScanService

/// Scans and their files: tables `scan` and `scan_file`.
extension SQLStore {
  // MARK: - Saving and reading

  public func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws {
    try await transaction("Storing a scan") { db in
      let owner = Self.owner(owner)
      try Self.requireCheck(scan.check, in: db)
      try Self.requireQuota(for: scan.files.reduce(0) { $0 + $1.bytes }, of: owner, quota: quota, in: db)
      try db.insert(
        "scan",
        [
          "id", "check_id", "subject", "label", "kind", "photos_expected", "voxel_um", "nearest_mm", "farthest_mm",
          "created_ms", "changed_ms", "owner", "status", "attempts", "request",
        ],
        [
          scan.id, scan.check, scan.subject, scan.label, scan.kind, scan.photosExpected, scan.options.voxel,
          scan.options.range?.lowerBound, scan.options.range?.upperBound, scan.created, scan.changed, owner,
          scan.status, scan.attempts, request,
        ])
      try Self.insert(scan.files, role: "sent", of: scan.id, into: db)
    }
  }

  static func insert(
    _ files: [ScanRecord.File], role: String, of id: ScanID, into db: any SQLConnection
  ) throws {
    try db.insert(
      "scan_file", ["scan_id", "role", "name", "type", "bytes", "received", "upload", "blob", "digest"],
      files.map { [id, role, $0.name, $0.type, $0.bytes, $0.received, $0.upload, $0.blob, $0.digest] })
  }

  public func scan(of owner: SecretDigest?, request: String) async throws -> ScanID? {
    let found: [ScanID] = try await ids(
      "Looking for a scan", "SELECT id FROM mien.scan WHERE owner = $1 AND request = $2",
      [Self.owner(owner), request])
    return found.first
  }

  public func scan(_ id: ScanID) async throws -> ScanRecord? {
    try await read("Reading a scan") { db in try scan(id, in: db) }
  }

  /// Reads a scan with a single statement, which sees a consistent state.
  func scan(_ id: ScanID, in db: any SQLConnection) throws -> ScanRecord? {
    let rows = try db.rows(
      """
      SELECT s.*, p.name AS subject_name, \(Self.fileColumns)
      FROM mien.scan s LEFT JOIN mien.scan_subject p ON p.id = s.subject
        LEFT JOIN mien.scan_file f ON f.scan_id = s.id
      WHERE s.id = $1 ORDER BY f.name
      """, [id])
    guard let first = rows.first else { return nil }
    var scan = try self.scan(first)
    for row in rows {
      guard let role: String = try row[optional: "file_role"] else { continue }
      if role == "sent" { scan.files.append(try Self.file(row)) } else { scan.results.append(try Self.file(row)) }
    }
    return scan
  }

  public func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord> {
    let (count, page) = Self.listing(query)
    return try await read("Listing scans") { db in
      let total: Int = try db.count(count.sql, count.values)
      let scans = try db.rows(page.sql, page.values).map { try scan($0) }
      return ScanPage(scans, total: total, limit: query.limit) {
        PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text)
      }
    }
  }

  /// Returns the queries for the number of matching scans and for one page plus one further row.
  static func listing(_ query: ScanQuery) -> (count: SQLQuery, page: SQLQuery) {
    var wanted = WhereClauseBuilder()
    var counted = "mien.scan s"
    let joined = "mien.scan s LEFT JOIN mien.scan_subject p ON p.id = s.subject"
    if let subject = query.subject { wanted.add("s.subject = ?", subject) }
    if let created = query.created {
      wanted.add("s.created_ms BETWEEN ? AND ?", created.lowerBound, created.upperBound)
    }
    if let status = query.status { wanted.add("s.status = ?", status) }
    if let label = query.label { wanted.add("s.label = ?", label) }
    if let text = query.text {
      let pattern = Self.pattern(text)
      wanted.add("(s.label ILIKE ? ESCAPE '\\' OR p.name ILIKE ? ESCAPE '\\')", pattern, pattern)
      counted = joined
    }
    let count = SQLQuery(sql: "SELECT count(*) AS count FROM \(counted)\(wanted.clause)", values: wanted.values)
    if let after = query.after { wanted.add("(s.created_ms, s.id) < (?, ?)", after.milliseconds, after.id) }
    let page = """
      SELECT s.*, p.name AS subject_name FROM \(joined)\(wanted.clause)
      ORDER BY s.created_ms DESC, s.id DESC LIMIT $\(wanted.values.count + 1)
      """
    return (count, SQLQuery(sql: page, values: wanted.values + [query.limit + 1]))
  }

  /// Returns a LIKE pattern that matches text containing `text`.
  static func pattern(_ text: String) -> String {
    "%" + text.reduce(into: "") { $0 += "\\%_".contains($1) ? "\\\($1)" : "\($1)" } + "%"
  }

  public func openScans(of owner: SecretDigest?) async throws -> Int {
    try await read("Counting scans") { db in
      try db.count(
        "SELECT count(*) AS count FROM mien.scan WHERE status = 'uploading' AND owner = $1", [Self.owner(owner)])
    }
  }

  public func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool {
    try await change(
      "Describing a scan", "UPDATE mien.scan SET subject = $1, label = $2 WHERE id = $3", [subject, label, id]) > 0
  }

  public func scan(ofContent digest: ContentDigest) async throws -> ScanID? {
    let found: [ScanID] = try await ids(
      "Looking for a scan",
      """
      SELECT id FROM mien.scan WHERE content = $1 AND status IN ('queued', 'working', 'done')
      ORDER BY created_ms DESC LIMIT 1
      """, [digest])
    return found.first
  }

  public func setContent(_ digest: ContentDigest, of id: ScanID) async throws {
    _ = try await change(
      "Storing a scan's digest", "UPDATE mien.scan SET content = $1 WHERE id = $2", [digest, id])
  }

  // MARK: - Deletion

  public func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs? {
    let deleted = try await transaction("Deleting a scan") { db -> DeletedScanBlobs? in
      // Locks the scan before its files, as all writers do, to prevent deadlocks.
      guard try db.exists("SELECT id FROM mien.scan WHERE id = $1 FOR UPDATE", [id]) else { return nil }
      var deleted = DeletedScanBlobs()
      deleted.scans = 1
      try Self.deleteFiles("scan_id = $1", id, into: &deleted, in: db)
      try db.execute("DELETE FROM mien.scan WHERE id = $1", [id])
      return deleted
    }
    if deleted != nil { try await purgeReplaced() }
    return deleted
  }

  /// Deletes files and collects their blobs and uploads, which are stored outside the database.
  @discardableResult
  static func deleteFiles(
    _ condition: String, _ value: any SQLBindable, into deleted: inout DeletedScanBlobs, in db: any SQLConnection
  ) throws -> Int {
    let rows = try db.rows("DELETE FROM mien.scan_file WHERE \(condition) RETURNING upload, blob", [value])
    for row in rows {
      if let blob: BlobID = try row[optional: "blob"] { deleted.blobs.append(blob) }
      if let upload: UploadID = try row[optional: "upload"] { deleted.uploads.append(upload) }
    }
    return rows.count
  }

  public func abandonedScans(before time: UnixTime) async throws -> [ScanID] {
    try await ids(
      "Looking for scans",
      """
      SELECT id FROM mien.scan WHERE status IN ('uploading', 'failed', 'cancelled') AND changed_ms < $1 LIMIT 100
      """, [time])
  }

  public func scans(createdBefore time: UnixTime) async throws -> [ScanID] {
    try await ids("Looking for scans", "SELECT id FROM mien.scan WHERE created_ms < $1 LIMIT 100", [time])
  }

  // MARK: - Rows

  private func scan(_ row: SQLRow) throws -> ScanRecord {
    let id: ScanID = try row["id"]
    let nearest: Int? = try row[optional: "nearest_mm"]
    let farthest: Int? = try row[optional: "farthest_mm"]
    let range = nearest.flatMap { nearest in farthest.map { nearest...max($0, nearest) } }
    var scan = ScanRecord(
      id: id, check: try row[optional: "check_id"], subject: try row[optional: "subject"],
      subjectName: try row[optional: "subject_name"], label: try row[optional: "label"], kind: try row["kind"],
      photosExpected: try row["photos_expected"],
      options: ScanRecord.Options(voxel: try row[optional: "voxel_um"], range: range),
      created: try row["created_ms"], changed: try row["changed_ms"], status: try row["status"],
      attempts: try row["attempts"], files: [])
    if let phase: ScanRecord.Progress.Phase = try row[optional: "phase"] {
      scan.progress = ScanRecord.Progress(phase, try row["fraction"])
    }
    if let code: String = try row[optional: "problem_code"] {
      scan.problem = ScanRecord.Problem(code: code, detail: try row["problem_detail"])
    }
    scan.outcome = try (row[optional: "outcome"] as String?).map { try keyring.value($0, .scanOutcome, of: id.text) }
    return scan
  }

  /// Columns that ``file(_:)`` reads, of `mien.scan_file f`.
  static var fileColumns: String {
    ["role", "name", "type", "bytes", "received", "upload", "blob", "digest"]
      .map { "f.\($0) AS file_\($0)" }.joined(separator: ", ")
  }

  static func file(_ row: SQLRow) throws -> ScanRecord.File {
    ScanRecord.File(
      name: try row["file_name"], bytes: try row["file_bytes"], received: try row["file_received"],
      type: try row["file_type"], blob: try row[optional: "file_blob"], digest: try row[optional: "file_digest"],
      upload: try row[optional: "file_upload"])
  }
}

extension ScanPage {
  /// Creates a page of at most `limit` of the items; further items mean that there is a next page.
  init(_ found: [Item], total: Int, limit: Int, cursor: (Item) -> PageCursor) {
    let items = Array(found.prefix(limit))
    self.init(items: items, total: total, next: found.count > limit ? items.last.map(cursor) : nil)
  }
}
