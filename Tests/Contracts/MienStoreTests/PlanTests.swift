import Foundation
import MienCaptures
import MienChecks
import MienCore
import MienMessageService
import MienPlatform
import Testing

@testable import MienStore

/// SQLite's query plans for the garbage collection at startup and for lists.
@Suite struct `Query plans` {
  @Test func `blob references are found by index`() async throws {
    let store = try await SQLiteOpener().open("main")
    let blobs = try ["a", "b"].map { try #require(BlobID($0)) }
    let query = SQLiteStore.references(to: blobs)
    let steps: [String] = try await store.read("Test") { db in
      try db.column("detail", "EXPLAIN QUERY PLAN " + query.sql, query.values)
    }
    #expect(steps.count { $0.contains("INDEX") || $0.contains("PRIMARY KEY") } >= 5, "\(steps)")
    let scanning = steps.filter { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN blob_place") }
    #expect(scanning.isEmpty, "\(scanning)")
  }

  @Test func `lists are read by index and are not sorted`() async throws {
    var checks: [(CheckListQuery, index: String)] = []
    func add(_ index: String, _ change: (inout CheckListQuery) -> Void) {
      var query = CheckListQuery()
      change(&query)
      checks.append((query, index))
    }
    add("liveness_check_newest") { _ in }
    add("liveness_check_newest") { $0.page.from = UnixTime(milliseconds: 1000) }
    add("liveness_check_state") { $0.state = .failed }
    add("liveness_check_person") { $0.person = PersonID("ada") }
    add("liveness_check_reference") { $0.reference = "order 7" }
    var queries = checks.map { (SQLiteStore.listing($0.0), $0.index) }
    for (query, index) in checks {
      var query = query
      query.page.after = PageCursor(milliseconds: 7, id: "chk_7")
      queries.append((SQLiteStore.listing(query), index))
    }
    var captures = CaptureListQuery()
    queries.append((SQLiteStore.listing(captures), "capture_received"))
    captures.state = .hashOnly
    queries.append((SQLiteStore.listing(captures), "capture_state"))
    captures.state = nil
    captures.check = CheckID("chk_7")
    queries.append((SQLiteStore.listing(captures), "capture_check"))
    queries.append((SQLiteStore.listing(MessageListQuery(), at: UnixTime(milliseconds: 0)), "message_newest"))
    let store = try await SQLiteOpener().open("main")
    for (query, index) in queries {
      let steps: [String] = try await store.read("Test") { db in
        try db.column("detail", "EXPLAIN QUERY PLAN " + query.sql, query.values)
      }
      #expect(steps.contains { $0.hasSuffix(index) || $0.contains("\(index) ") }, "\(steps)")
      #expect(!steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    }
  }
}
