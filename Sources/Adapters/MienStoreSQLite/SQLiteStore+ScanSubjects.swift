internal import Foundation
internal import GRDB
public import MienService

/// Subjects of scans.
extension SQLiteStore {
  public func save(_ subject: ScanSubject) async throws {
    _ = try await change(
      "Keeping a subject", "INSERT INTO scan_subject (id, name, note, due, created_ms) VALUES (?, ?, ?, ?, ?)",
      [subject.id.text, subject.name, subject.note, subject.due, subject.created.milliseconds])
  }

  private static let columns = "*, (SELECT count(*) FROM scan WHERE scan.subject = scan_subject.id) AS scans"

  public func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject? {
    try await mapped("Reading a subject") {
      try await database.read { db in
        try Row.fetchOne(
          db, sql: "SELECT \(Self.columns) FROM scan_subject WHERE id = ?", arguments: [id.text]
        ).map { try Self.subject($0) }
      }
    }
  }

  public func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    let (count, page) = Self.listing(query)
    return try await mapped("Listing subjects") {
      try await database.read { db in
        guard let total = try Int.fetchOne(db, sql: count.sql, arguments: count.arguments) else {
          throw Self.damaged("the number of subjects")
        }
        let found = try Row.fetchAll(db, sql: page.sql, arguments: page.arguments).map { try Self.subject($0) }
        let items = found.prefix(query.limit)
        let next = found.count > query.limit ? items.last : nil
        return ScanPage(
          items: Array(items), total: total,
          next: next.map { PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text) })
      }
    }
  }

  /// Returns the queries for the number of matching subjects and for one page plus one further row.
  static func listing(_ query: ScanSubjectQuery) -> (count: SQLQuery, page: SQLQuery) {
    var (conditions, arguments): ([String], StatementArguments) = ([], [])
    if let text = query.text {
      let pattern = Self.pattern(text)
      conditions.append("(name LIKE ? ESCAPE '\\' OR note LIKE ? ESCAPE '\\')")
      arguments += [pattern, pattern]
    }
    if let due = query.due {
      conditions.append("due = ?")
      arguments += [due]
    }
    let count = SQLQuery(
      sql: "SELECT count(*) FROM scan_subject" + Self.wherever(conditions), arguments: arguments)
    if let after = query.after {
      conditions.append("(created_ms, id) < (?, ?)")
      arguments += [after.milliseconds, after.id]
    }
    let page =
      "SELECT \(Self.columns) FROM scan_subject\(Self.wherever(conditions)) ORDER BY created_ms DESC, id DESC LIMIT ?"
    return (count, SQLQuery(sql: page, arguments: arguments + [query.limit + 1]))
  }

  public func update(_ subject: ScanSubject) async throws -> Bool {
    try await change(
      "Changing a subject", "UPDATE scan_subject SET name = ?, note = ?, due = ? WHERE id = ?",
      [subject.name, subject.note, subject.due, subject.id.text])
  }

  public func scans(of subject: ScanSubjectID) async throws -> [ScanID] {
    try await scanIDs("SELECT id FROM scan WHERE subject = ? ORDER BY created_ms", subject.text)
  }

  public func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs? {
    let deleted = try await mapped("Erasing a subject") {
      try await database.write { db -> DeletedScanBlobs? in
        var deleted = DeletedScanBlobs()
        try Self.collect("scan_id IN (SELECT id FROM scan WHERE subject = ?)", id.text, into: &deleted, in: db)
        let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM scan WHERE subject = ?", arguments: [id.text])
        guard let count else { throw Self.damaged("the number of scans") }
        deleted.scans = count
        try db.execute(sql: "DELETE FROM scan_subject WHERE id = ?", arguments: [id.text])
        return db.changesCount > 0 ? deleted : nil
      }
    }
    if deleted != nil { try await shrinkLog() }
    return deleted
  }

  private static func subject(_ row: Row) throws -> ScanSubject {
    guard let id = ScanSubjectID(row["id"]) else { throw damaged("a subject") }
    return ScanSubject(
      id: id, name: row["name"], note: row["note"], due: row["due"],
      created: UnixTime(milliseconds: row["created_ms"]), scans: row["scans"])
  }
}
