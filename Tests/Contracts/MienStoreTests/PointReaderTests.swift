import Foundation
import GRDB
import MienCore
import MienPlatform
import MienChecks
import MienTestSupport
import Testing

@testable import MienStore

/// Reads on the calling thread.
@Suite struct `Read-only connections` {
  private let path: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-points-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
  }

  private func open() throws -> SQLiteStore { try SQLiteStore(path: path) }

  @Test func `changes by another server are visible to the next read`() async throws {
    let (here, elsewhere) = (try open(), try open())
    let check = try sampleCheck()
    // More reads than connections, so that each connection has prepared its statement.
    func expectEverywhere(_ result: CheckResult?, isThere: Bool = true) async throws {
      for _ in 0..<10 {
        let found = try await here.check(check.id)
        #expect((found != nil) == isThere)
        #expect(found?.result == result)
      }
    }
    try await expectEverywhere(nil, isThere: false)
    try await elsewhere.create(check)
    try await expectEverywhere(nil)
    try await elsewhere.decide(check.id, try sampleResult())
    try await expectEverywhere(try sampleResult())
    try await elsewhere.write("Test") { db in
      try db.execute("UPDATE mien.verdict SET frames = 43, findings = '[]'")
    }
    let changed = try #require(try await here.check(check.id)?.result)
    #expect(changed.frames == 43 && changed.findings == [])
    #expect(try await !elsewhere.delete(check.id).isEmpty)
    try await expectEverywhere(nil, isThere: false)
  }

  @Test func `a busy connection blocks no reader`() throws {
    _ = try open()
    let readers = try ReadConnectionPool(path: path, count: 1)
    let nested = try readers.read { db in
      let inner = try readers.read { _ in true }
      return (inner, try Int.fetchOne(db, sql: "SELECT 1"))
    }
    #expect(nested?.0 == nil && nested?.1 == 1)
    #expect(try readers.read { _ in true } == true, "the connection is available again afterward")
    #expect(try ReadConnectionPool(path: path, count: 0).read { _ in true } == nil)
  }

  @Test func `writes are rejected`() throws {
    _ = try open()
    let error = #expect(throws: DatabaseError.self) {
      try ReadConnectionPool(path: path, count: 1).read { db in try db.execute(sql: "DELETE FROM liveness_check") }
    }
    #expect(error?.resultCode == .SQLITE_READONLY)
  }

  @Test func `no read transaction stays open and the write-ahead log can be truncated`() async throws {
    let store = try open()
    let check = try sampleCheck()
    try await store.create(check)
    try await store.decide(check.id, try sampleResult())
    for _ in 0..<10 { #expect(try await store.check(check.id)?.result != nil) }
    #expect(try await !store.delete(check.id).isEmpty)
    let log = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
    #expect(log == 0)
  }
}
