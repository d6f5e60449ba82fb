import MienCore
import MienService
import Testing

@testable import MienStorePostgres

/// Lists with many scans on a real database: 20,000 scans of 2,000 subjects, as in the tests of the embedded store.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Many scans on PostgreSQL` {
  private static let scans = 20_000
  private static let subjects = 2000
  private static let day: Int64 = 86_400_000

  /// Scan *n* belongs to subject *n* mod 2,000 and was created *n* minutes after the first; every third one failed,
  /// every
  /// hundredth has a label. Pairs of consecutive scans have the same timestamp.
  private func filled() async throws -> PostgresStore {
    let store = try await PostgresStore(PostgresServer.shared.get().address("&connection_limit=2"))
    try await store.pool.write { db in
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

  private func name(_ prefix: String, _ number: Int) -> String {
    let digits = "\(number)"
    return prefix + "_" + String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// Returns all pages of a list.
  private func walk(_ query: ScanQuery, _ store: PostgresStore) async throws -> [String] {
    var (query, names): (ScanQuery, [String]) = (query, [])
    while true {
      let page = try await store.scans(query)
      #expect(page.items.count <= query.limit)
      names += page.items.map(\.id.text)
      guard let next = page.next else { return names }
      query.after = next
    }
  }

  @Test func `are listed page by page, each once, the newest first, and found by what they are`() async throws {
    let store = try await filled()
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

  @Test func `are read in the order of an index: no page sorts what is on the others`() async throws {
    let store = try await filled()
    let newest = "ORDER BY s.created_ms DESC, s.id DESC LIMIT 51"
    let pages = [
      ("", "scan_newest"), ("WHERE (s.created_ms, s.id) < (600000000, '\(name("scn", 10000))')", "scan_newest"),
      ("WHERE s.created_ms BETWEEN 0 AND \(Self.day)", "scan_newest"), ("WHERE s.status = 'failed'", "scan_status"),
    ]
    for (condition, index) in pages {
      let plan = try await store.pool.read { db -> [String] in
        try db.rows(
          """
          EXPLAIN SELECT s.*, p.name AS subject_name
          FROM mien.scan s LEFT JOIN mien.scan_subject p ON p.id = s.subject \(condition) \(newest)
          """
        ).map { try $0["QUERY PLAN"] }
      }
      #expect(plan.contains { $0.contains("using \(index) on scan s") }, "\(plan)")
      #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan on scan s") }, "\(plan)")
    }
  }
}
