internal import MienPlatform
internal import MienScanService

/// Subjects of scans: table `scan_subject`.
extension SQLStore {
  public func save(_ subject: ScanSubject) async throws {
    try await write("Storing a subject") { db in
      try db.insert(
        "scan_subject", ["id", "name", "note", "due", "created_ms"],
        [subject.id, subject.name, subject.note, subject.due, subject.created])
    }
  }

  private static var subjectColumns: String {
    "p.*, (SELECT count(*) FROM mien.scan s WHERE s.subject = p.id) AS scans"
  }

  public func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject? {
    try await read("Reading a subject") { db in
      try db.first("SELECT \(Self.subjectColumns) FROM mien.scan_subject p WHERE id = $1", [id]).map(Self.subject)
    }
  }

  public func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    let (count, page) = Self.listing(query)
    return try await read("Listing subjects") { db in
      let total: Int = try db.count(count.sql, count.values)
      let found = try db.rows(page.sql, page.values).map(Self.subject)
      return ScanPage(found, total: total, limit: query.limit) {
        PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text)
      }
    }
  }

  /// Returns the queries for the number of matching subjects and for one page plus one further row.
  static func listing(_ query: ScanSubjectQuery) -> (count: SQLQuery, page: SQLQuery) {
    var wanted = WhereClauseBuilder()
    if let text = query.text {
      let pattern = Self.pattern(text)
      wanted.add("(name ILIKE ? ESCAPE '\\' OR note ILIKE ? ESCAPE '\\')", pattern, pattern)
    }
    if let due = query.due { wanted.add("due = ?", due) }
    let count = SQLQuery(
      sql: "SELECT count(*) AS count FROM mien.scan_subject\(wanted.clause)", values: wanted.values)
    if let after = query.after { wanted.add("(created_ms, id) < (?, ?)", after.milliseconds, after.id) }
    let page = """
      SELECT \(Self.subjectColumns) FROM mien.scan_subject p\(wanted.clause)
      ORDER BY created_ms DESC, id DESC LIMIT $\(wanted.values.count + 1)
      """
    return (count, SQLQuery(sql: page, values: wanted.values + [query.limit + 1]))
  }

  public func update(_ subject: ScanSubject) async throws -> Bool {
    try await change(
      "Changing a subject", "UPDATE mien.scan_subject SET name = $1, note = $2, due = $3 WHERE id = $4",
      [subject.name, subject.note, subject.due, subject.id]) > 0
  }

  public func scans(of subject: ScanSubjectID) async throws -> [ScanID] {
    try await ids(
      "Looking for scans", "SELECT id FROM mien.scan WHERE subject = $1 ORDER BY created_ms, arrival", [subject])
  }

  public func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs? {
    let deleted = try await transaction("Deleting a subject") { db -> DeletedScanBlobs? in
      // Prevents the creation of a scan of this subject until the transaction ends.
      guard try db.exists("SELECT id FROM mien.scan_subject WHERE id = $1 FOR UPDATE", [id]) else { return nil }
      var deleted = DeletedScanBlobs()
      deleted.scans = try db.rows("SELECT id FROM mien.scan WHERE subject = $1 ORDER BY id FOR UPDATE", [id]).count
      try Self.deleteFiles("scan_id IN (SELECT id FROM mien.scan WHERE subject = $1)", id, into: &deleted, in: db)
      try db.execute("DELETE FROM mien.scan_subject WHERE id = $1", [id])
      return deleted
    }
    if deleted != nil { try await purgeReplaced() }
    return deleted
  }

  private static func subject(_ row: SQLRow) throws -> ScanSubject {
    ScanSubject(
      id: try row["id"], name: try row["name"], note: try row[optional: "note"], due: try row[optional: "due"],
      created: try row["created_ms"], scans: try row["scans"])
  }
}
