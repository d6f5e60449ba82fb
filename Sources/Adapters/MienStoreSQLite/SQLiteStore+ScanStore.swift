internal import Foundation
internal import GRDB
internal import MienCore
public import MienService

extension SQLiteStore: ScanStore {
  // MARK: - Saving and reading

  public func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws {
    try await mapped("Keeping a scan") {
      try await database.write { db in
        try Self.requireCheck(scan.check, in: db)
        try Self.requireQuota(
          for: scan.files.reduce(0) { $0 + $1.bytes }, of: owner.map { Data($0.bytes) }, quota: quota, in: db)
        try db.execute(
          sql: """
            INSERT INTO scan (
              id, check_id, subject, label, kind, photos_expected, created_ms, changed_ms, owner, status, attempts, request
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            scan.id.text, scan.check?.text, scan.subject?.text, scan.label, scan.kind.rawValue, scan.photosExpected,
            scan.created.milliseconds, scan.changed.milliseconds, owner.map { Data($0.bytes) }, scan.status.rawValue,
            scan.attempts, request,
          ])
        for file in scan.files { try Self.insert(file, role: "sent", of: scan.id, in: db) }
      }
    }
  }

  public func scan(of owner: SecretDigest?, request: String) async throws -> ScanID? {
    try await mapped("Looking for a scan") {
      try await database.read { db in
        try String.fetchOne(
          db, sql: "SELECT id FROM scan WHERE coalesce(owner, x'') = ? AND request = ?",
          arguments: [Data(owner?.bytes ?? []), request]
        ).flatMap { ScanID($0) }
      }
    }
  }

  static func insert(_ file: ScanRecord.File, role: String, of id: ScanID, in db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO scan_file (scan_id, role, name, type, bytes, received, upload, blob, digest)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.text, role, file.name, file.type, file.bytes, file.received, file.upload?.text, file.blob?.text,
        file.digest.map { Data($0.bytes) },
      ])
  }

  public func scan(_ id: ScanID) async throws -> ScanRecord? {
    try await mapped("Reading a scan") {
      try await database.read { db in try scan(id, in: db) }
    }
  }

  func scan(_ id: ScanID, in db: Database) throws -> ScanRecord? {
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT scan.*, scan_subject.name AS subject_name
        FROM scan LEFT JOIN scan_subject ON scan_subject.id = scan.subject WHERE scan.id = ?
        """,
      arguments: [id.text])
    guard let row else { return nil }
    var scan = try self.scan(row)
    let files = try Row.fetchAll(
      db, sql: "SELECT * FROM scan_file WHERE scan_id = ? ORDER BY name", arguments: [id.text])
    for row in files {
      if row["role"] == "sent" { scan.files.append(Self.file(row)) } else { scan.results.append(Self.file(row)) }
    }
    return scan
  }

  public func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord> {
    let (count, page) = Self.listing(query)
    return try await mapped("Listing scans") {
      try await database.read { db in
        guard let total = try Int.fetchOne(db, sql: count.sql, arguments: count.arguments) else {
          throw Self.damaged("the number of scans")
        }
        let scans = try Row.fetchAll(db, sql: page.sql, arguments: page.arguments).map { try scan($0) }
        let page = scans.prefix(query.limit)
        let next = scans.count > query.limit ? page.last : nil
        return ScanPage(
          items: Array(page), total: total,
          next: next.map { PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text) })
      }
    }
  }

  /// Returns the queries for the number of matching scans and for one page plus one further row.
  static func listing(_ query: ScanQuery) -> (count: SQLQuery, page: SQLQuery) {
    var (conditions, arguments): ([String], StatementArguments) = ([], [])
    func add(_ condition: String, _ values: (any DatabaseValueConvertible)...) {
      conditions.append(condition)
      arguments += StatementArguments(values)
    }
    if let subject = query.subject { add("scan.subject = ?", subject.text) }
    if let created = query.created { add("scan.created_ms BETWEEN ? AND ?", created.lowerBound, created.upperBound) }
    if let status = query.status { add("scan.status = ?", status.rawValue) }
    if let label = query.label { add("scan.label = ?", label) }
    var counted = "scan"
    if let text = query.text {
      let pattern = Self.pattern(text)
      add("(scan.label LIKE ? ESCAPE '\\' OR scan_subject.name LIKE ? ESCAPE '\\')", pattern, pattern)
      counted += " LEFT JOIN scan_subject ON scan_subject.id = scan.subject"
    }
    let count = SQLQuery(
      sql: "SELECT count(*) FROM \(counted)\(Self.wherever(conditions))", arguments: arguments)
    if let after = query.after { add("(scan.created_ms, scan.id) < (?, ?)", after.milliseconds, after.id) }
    let page = """
      SELECT scan.*, scan_subject.name AS subject_name
      FROM scan LEFT JOIN scan_subject ON scan_subject.id = scan.subject\(Self.wherever(conditions))
      ORDER BY scan.created_ms DESC, scan.id DESC LIMIT ?
      """
    return (count, SQLQuery(sql: page, arguments: arguments + [query.limit + 1]))
  }

  static func wherever(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// Returns a LIKE pattern that matches text containing `text`.
  static func pattern(_ text: String) -> String {
    "%" + text.reduce(into: "") { $0 += "\\%_".contains($1) ? "\\\($1)" : "\($1)" } + "%"
  }

  public func openScans(of owner: SecretDigest?) async throws -> Int {
    try await mapped("Counting scans") {
      try await database.read { db in
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM scan WHERE status = 'uploading' AND owner IS ?",
          arguments: [owner.map { Data($0.bytes) }])
        guard let count else { throw Self.damaged("the number of scans") }
        return count
      }
    }
  }

  public func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool {
    try await change(
      "Describing a scan", "UPDATE scan SET subject = ?, label = ? WHERE id = ?", [subject?.text, label, id.text])
  }

  public func scan(ofContent digest: ContentDigest) async throws -> ScanID? {
    try await mapped("Looking for a scan") {
      try await database.read { db in
        try String.fetchOne(
          db,
          sql: """
            SELECT id FROM scan WHERE content = ? AND status IN ('queued', 'working', 'done')
            ORDER BY created_ms DESC LIMIT 1
            """,
          arguments: [Data(digest.bytes)]
        ).flatMap { ScanID($0) }
      }
    }
  }

  public func setContent(_ digest: ContentDigest, of id: ScanID) async throws {
    _ = try await change(
      "Noting a scan's content", "UPDATE scan SET content = ? WHERE id = ?", [Data(digest.bytes), id.text])
  }

  // MARK: - Deletion

  public func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs? {
    let deleted = try await mapped("Erasing a scan") {
      try await database.write { db -> DeletedScanBlobs? in
        var deleted = DeletedScanBlobs()
        try Self.collect("scan_id = ?", id.text, into: &deleted, in: db)
        try db.execute(sql: "DELETE FROM scan WHERE id = ?", arguments: [id.text])
        guard db.changesCount > 0 else { return nil }
        deleted.scans = 1
        return deleted
      }
    }
    if deleted != nil { try await shrinkLog() }
    return deleted
  }

  /// Collects the blobs and uploads of files, which are stored outside the database.
  static func collect(
    _ condition: String, _ value: String, into deleted: inout DeletedScanBlobs, in db: Database
  ) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT upload, blob FROM scan_file WHERE \(condition)", arguments: [value])
    deleted.blobs += rows.compactMap { ($0["blob"] as String?).flatMap { BlobID($0) } }
    deleted.uploads += rows.compactMap { ($0["upload"] as String?).flatMap { UploadID($0) } }
  }

  public func abandonedScans(before time: UnixTime) async throws -> [ScanID] {
    try await scanIDs(
      "SELECT id FROM scan WHERE status IN ('uploading', 'failed', 'cancelled') AND changed_ms < ? LIMIT 100",
      time.milliseconds)
  }

  public func scans(createdBefore time: UnixTime) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM scan WHERE created_ms < ? LIMIT 100", time.milliseconds)
  }

  func scanIDs(_ sql: String, _ value: some DatabaseValueConvertible & Sendable) async throws -> [ScanID] {
    try await mapped("Looking for scans") {
      try await database.read { db in
        try String.fetchAll(db, sql: sql, arguments: [value]).compactMap { ScanID($0) }
      }
    }
  }

  public func wantsUpload(_ id: UploadID) async throws -> Bool {
    try await exists("SELECT 1 FROM scan_file WHERE upload = ? AND blob IS NULL", id.text)
  }

  private func exists(_ sql: String, _ value: String) async throws -> Bool {
    try await mapped("Looking for a file's scan") {
      try await database.read { db in
        try Bool.fetchOne(db, sql: "SELECT EXISTS (\(sql))", arguments: [value]) == true
      }
    }
  }

  /// Executes a statement and reports whether it changed a row.
  func change(_ what: String, _ sql: String, _ arguments: StatementArguments) async throws -> Bool {
    try await mapped(what) {
      try await database.write { db in
        try db.execute(sql: sql, arguments: arguments)
        return db.changesCount > 0
      }
    }
  }

  // MARK: - Rows

  private func scan(_ row: Row) throws -> ScanRecord {
    guard let id = ScanID(row["id"]), let kind = ScanRecord.Kind(rawValue: row["kind"]),
      let status = ScanRecord.Status(rawValue: row["status"])
    else { throw Self.damaged("a scan") }
    var scan = ScanRecord(
      id: id, check: (row["check_id"] as String?).flatMap { CheckID($0) },
      subject: (row["subject"] as String?).flatMap { ScanSubjectID($0) }, subjectName: row["subject_name"],
      label: row["label"], kind: kind, photosExpected: row["photos_expected"],
      created: UnixTime(milliseconds: row["created_ms"]), changed: UnixTime(milliseconds: row["changed_ms"]),
      status: status, attempts: row["attempts"], files: [])
    if let phase = (row["phase"] as String?).flatMap({ ScanRecord.Progress.Phase(rawValue: $0) }),
      let fraction = row["fraction"] as Double?
    {
      scan.progress = ScanRecord.Progress(phase, fraction)
    }
    if let code = row["problem_code"] as String?, let detail = row["problem_detail"] as String? {
      scan.problem = ScanRecord.Problem(code: code, detail: detail)
    }
    scan.outcome = try (row["outcome"] as String?).map { try keyring.value($0, .scanOutcome, of: id.text) }
    return scan
  }

  static func file(_ row: Row) -> ScanRecord.File {
    ScanRecord.File(
      name: row["name"], bytes: row["bytes"], received: row["received"], type: row["type"],
      blob: (row["blob"] as String?).flatMap { BlobID($0) },
      digest: (row["digest"] as Data?).flatMap { ContentDigest(bytes: Array($0)) },
      upload: (row["upload"] as String?).flatMap { UploadID($0) })
  }
}

/// SQL statement of a listing with its arguments.
struct SQLQuery {
  let sql: String
  let arguments: StatementArguments
}
