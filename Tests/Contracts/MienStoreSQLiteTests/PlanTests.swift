import Foundation
import GRDB
import Testing

@testable import MienStoreSQLite

/// SQLite's query plan for the garbage collection at startup.
@Suite struct `Plans of statements` {
  @Test func `whether a record names a file is found by indexes`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-plans-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
    let steps = try await store.database.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + SQLiteStore.named, arguments: ["[]"]).map { row in
        row["detail"] as String
      }
    }
    #expect(steps.contains { $0.contains("INDEX") })
    let scanning = steps.filter { $0.hasPrefix("SCAN") && !$0.hasPrefix("SCAN asked") }
    #expect(scanning.isEmpty, "\(scanning)")
  }
}
