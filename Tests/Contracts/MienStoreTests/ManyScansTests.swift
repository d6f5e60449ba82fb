import Foundation
import MienCore
import MienPlatform
import MienScanService
import Testing

@testable import MienStore

/// Lists with many scans: 20,000 scans of 2,000 subjects.
@Suite struct `Many scans` {
  private static let scans = 20_000
  private static let subjects = 2000
  private static let day: Int64 = 86_400_000

  /// Opens a database with the scans. Scan *n* belongs to subject *n* mod 2,000 and was created *n* minutes after the first; every third
  /// one failed, every hundredth has a label. Pairs of consecutive scans have the same timestamp.
  private func filledSQLite() async throws -> SQLiteStore {
    let store = try await SQLiteOpener().open("main")
    try await store.write("Test") { db in
      try db.script(
        """
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(Self.subjects))
        INSERT INTO scan_subject (id, name, due, created_ms)
        SELECT printf('sub_%032d', i), 'Person ' || i, date(i / 20 * 86400, 'unixepoch'), i * 1000 FROM n;
        WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < \(Self.scans))
        INSERT INTO scan (
          id, subject, label, kind, photos_expected, created_ms, changed_ms, status, problem_code, problem_detail)
        SELECT printf('scn_%032d', i), printf('sub_%032d', i % \(Self.subjects)), iif(i % 100 = 0, 'hundredth', NULL),
          'face', 3, i / 2 * 120000, 0, iif(i % 3 = 0, 'failed', 'queued'), iif(i % 3 = 0, 'x', NULL),
          iif(i % 3 = 0, 'x', NULL)
        FROM n;
        """)
    }
    return store
  }

  private func filledPostgres() async throws -> PostgresStore {
    let store = try await PostgresOpener().open("main")
    try await store.write("Test") { db in
      try db.script(
        """
        INSERT INTO mien.scan_subject (id, name, due, created_ms)
        SELECT 'sub_' || lpad(i::text, 32, '0'), 'Person ' || i, (date '1970-01-01' + i / 20)::text, i * 1000
        FROM generate_series(0, \(Self.subjects - 1)) AS i;
        INSERT INTO mien.scan (
          id, subject, label, kind, photos_expected, created_ms, changed_ms, status, problem_code, problem_detail)
        SELECT 'scn_' || lpad(i::text, 32, '0'), 'sub_' || lpad((i % \(Self.subjects))::text, 32, '0'),
          CASE WHEN i % 100 = 0 THEN 'hundredth' END, 'face', 3, i / 2 * 120000, 0,
          CASE WHEN i % 3 = 0 THEN 'failed' ELSE 'queued' END, CASE WHEN i % 3 = 0 THEN 'x' END,
          CASE WHEN i % 3 = 0 THEN 'x' END
        FROM generate_series(0, \(Self.scans - 1)) AS i;
        ANALYZE mien.scan; ANALYZE mien.scan_subject;
        """)
    }
    return store
  }

  private func filled(_ database: TestDatabase) async throws -> any ScanStore {
    switch database {
    case .sqlite: try await filledSQLite()
    case .postgres: try await filledPostgres()
    }
  }

  /// Returns all pages of a list.
  private func walk(_ query: ScanQuery, _ store: some ScanStore) async throws -> [String] {
    var (query, names): (ScanQuery, [String]) = (query, [])
    while true {
      let page = try await store.scans(query)
      #expect(page.items.count <= query.limit)
      names += page.items.map(\.id.text)
      guard let next = page.next else { return names }
      query.after = next
    }
  }

  private func name(_ prefix: String, _ number: Int) -> String {
    let digits = "\(number)"
    return prefix + "_" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  @Test(arguments: TestDatabase.available)
  func `pages list each scan once, newest first, and filters find their scans`(
    _ database: TestDatabase
  ) async throws {
    let store = try await filled(database)
    var query = ScanQuery()
    query.limit = 200
    #expect(try await walk(query, store) == (0..<Self.scans).reversed().map { name("scn", $0) })
    query.limit = 50
    query.status = .failed
    query.created = 0...3 * Self.day
    // Three days and a millisecond have 4,320 minutes, with two scans in every second one.
    let failed = try await walk(query, store)
    #expect(failed == (0...4321).reversed().filter { $0 % 3 == 0 }.map { name("scn", $0) })
    query = ScanQuery()
    query.subject = ScanSubjectID(name("sub", 7))
    #expect(try await store.scans(query).total == 10)
    query = ScanQuery()
    query.label = "hundredth"
    #expect(try await store.scans(query).total == 200)
    query = ScanQuery()
    query.text = "rson 1999"
    let found = try await store.scans(query)
    #expect(found.total == 10 && found.items.first?.id.text == name("scn", 19999) && found.next == nil)
    var due = ScanSubjectQuery()
    due.due = "1970-01-02"
    #expect(try await store.scanSubjects(due).total == 20)
    let work = try await store.scanSubjects(ScanSubjectQuery())
    #expect(work.total == Self.subjects && work.items.first?.id.text == name("sub", 1999))
    #expect(work.items.first?.scans == 10)
  }

  private func plan(_ query: SQLQuery, _ store: SQLiteStore) async throws -> [String] {
    try await store.read("Test") { db in
      try db.column("detail", "EXPLAIN QUERY PLAN " + query.sql, query.values)
    }
  }

  @Test func `scans are found by index and pages are not sorted on SQLite`() async throws {
    let store = try await filledSQLite()
    let after = PageCursor(milliseconds: 10_000 * 60_000, id: name("scn", 10000))
    var queries: [(ScanQuery, index: String)] = [(ScanQuery(), "scan_newest")]
    var query = ScanQuery()
    query.created = 0...Self.day
    queries.append((query, "scan_newest"))
    query = ScanQuery()
    query.status = .failed
    queries.append((query, "scan_status"))
    query = ScanQuery()
    query.subject = ScanSubjectID(name("sub", 7))
    queries.append((query, "scan_subject_scans"))
    query = ScanQuery()
    query.text = "Person"
    queries.append((query, "scan_newest"))
    for (query, index) in queries {
      for after in [nil, after] {
        var query = query
        query.after = after
        let (count, page) = SQLiteStore.listing(query)
        let steps = try await plan(page, store)
        #expect(steps.contains { $0.hasSuffix(index) || $0.contains("\(index) ") }, "\(steps)")
        // The scans of one subject are few: those with the same timestamp may be sorted.
        #expect(!steps.contains { $0.hasPrefix("USE TEMP B-TREE FOR ORDER BY") }, "\(steps)")
        let counting = try await plan(count, store)
        #expect(query.text != nil || counting.allSatisfy { $0.contains(" INDEX ") }, "\(counting)")
      }
    }
    let subjects = SQLiteStore.listing(ScanSubjectQuery()).page
    let steps = try await plan(subjects, store)
    #expect(steps.contains { $0.contains("scan_subject_newest") }, "\(steps)")
    #expect(steps.contains { $0.contains("scan_subject_scans") }, "each subject's scans are counted by index")
    var due = ScanSubjectQuery()
    due.due = "1970-01-02"
    let list = try await plan(SQLiteStore.listing(due).page, store)
    #expect(list.contains { $0.contains("scan_subject_due") || $0.contains("scan_subject_newest") }, "\(list)")
  }

  @Test(.enabled(if: PostgresServer.isInstalled))
  func `pages are read in index order without sorting on PostgreSQL`() async throws {
    let store = try await filledPostgres()
    let after = PageCursor(milliseconds: 10_000 * 60_000, id: name("scn", 10000))
    var (later, byDay, byStatus) = (ScanQuery(), ScanQuery(), ScanQuery())
    later.after = after
    byDay.created = 0...Self.day
    byStatus.status = .failed
    for (query, index) in [
      (ScanQuery(), "scan_newest"), (later, "scan_newest"), (byDay, "scan_newest"), (byStatus, "scan_status"),
    ] {
      let page = PostgresStore.listing(query).page
      let plan: [String] = try await store.read("Test") { db in
        try db.column("QUERY PLAN", "EXPLAIN " + page.sql, page.values)
      }
      #expect(plan.contains { $0.contains("using \(index) on scan s") }, "\(plan)")
      #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan on scan s") }, "\(plan)")
    }
  }
}
