import Foundation
import MienPlatform
import Testing

@testable import MienStore

/// SQLite's query plan for the garbage collection at startup.
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
}
