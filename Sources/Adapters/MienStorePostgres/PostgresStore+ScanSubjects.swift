public import MienService

/// Subjects of scans.
extension PostgresStore {
  public func save(_ subject: ScanSubject) async throws {
    _ = try await change(
      "Keeping a subject",
      "INSERT INTO mien.scan_subject (id, name, note, due, created_ms) VALUES ($1, $2, $3, $4, $5)",
      [subject.id.text, subject.name, subject.note, subject.due, subject.created.milliseconds])
  }

  private static let columns = "p.*, (SELECT count(*) FROM mien.scan s WHERE s.subject = p.id) AS scans"

  public func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject? {
    try await mapped("Reading a subject") {
      try await pool.read { db in
        try db.rows("SELECT \(Self.columns) FROM mien.scan_subject p WHERE id = $1", [id.text]).first.map {
          try Self.subject($0)
        }
      }
    }
  }

  public func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    var wanted = WhereClauseBuilder()
    if let text = query.text {
      let pattern = Self.pattern(text)
      wanted.add("(name ILIKE ? ESCAPE '\\' OR note ILIKE ? ESCAPE '\\')", pattern, pattern)
    }
    if let due = query.due { wanted.add("due = ?", due) }
    let counted = wanted
    if let after = query.after { wanted.add("(created_ms, id) < (?, ?)", after.milliseconds, after.id) }
    let page = wanted
    return try await mapped("Listing subjects") {
      try await pool.read { db in
        let total: Int = try db.rows(
          "SELECT count(*) AS count FROM mien.scan_subject\(counted.clause)", counted.values)[0]["count"]
        let found = try db.rows(
          """
          SELECT \(Self.columns) FROM mien.scan_subject p\(page.clause)
          ORDER BY created_ms DESC, id DESC LIMIT $\(page.values.count + 1)
          """, page.values + [query.limit + 1]
        ).map { try Self.subject($0) }
        let items = found.prefix(query.limit)
        let next = found.count > query.limit ? items.last : nil
        return ScanPage(
          items: Array(items), total: total,
          next: next.map { PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text) })
      }
    }
  }

  public func update(_ subject: ScanSubject) async throws -> Bool {
    try await change(
      "Changing a subject", "UPDATE mien.scan_subject SET name = $1, note = $2, due = $3 WHERE id = $4",
      [subject.name, subject.note, subject.due, subject.id.text])
  }

  public func scans(of subject: ScanSubjectID) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM mien.scan WHERE subject = $1 ORDER BY created_ms, arrival", subject.text)
  }

  public func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs? {
    try await mapped("Erasing a subject") {
      try await pool.transaction { db in
        // Prevents the creation of a scan of this subject until the transaction ends.
        guard try !db.rows("SELECT id FROM mien.scan_subject WHERE id = $1 FOR UPDATE", [id.text]).isEmpty else {
          return nil
        }
        var deleted = DeletedScanBlobs()
        deleted.scans = try db.rows(
          "SELECT id FROM mien.scan WHERE subject = $1 ORDER BY id FOR UPDATE", [id.text]
        ).count
        try Self.deleteFiles(
          "scan_id IN (SELECT id FROM mien.scan WHERE subject = $1)", id.text, into: &deleted, in: &db)
        try db.send("DELETE FROM mien.scan_subject WHERE id = $1", [id.text])
        return deleted
      }
    }
  }

  private static func subject(_ row: PostgresRow) throws -> ScanSubject {
    guard let id = ScanSubjectID(try row["id"]) else { throw damaged("a subject") }
    return ScanSubject(
      id: id, name: try row["name"], note: try row[maybe: "note"], due: try row[maybe: "due"],
      created: UnixTime(milliseconds: try row["created_ms"]), scans: try row["scans"])
  }
}
