import Foundation
import MienCore
import MienPlatform
import MienSecurity
import MienChecks
import MienTestSupport
import Testing

@testable import MienStore

@Suite struct `SQLite store` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-store-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func open() throws -> SQLiteStore { try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path) }

  @Test func `no encrypted value is readable in the database files`() async throws {
    let path = folder.appendingPathComponent("open.sqlite").path
    let (check, mark) = (try sampleCheck(), Array("a picture of somebody's face".utf8))
    let open = try SQLiteStore(path: path)
    try await open.create(check)
    let image = StoredImage(kind: .audit, bytes: mark, box: FaceBox(x: 0.1, y: 0.25, width: 0.3, height: 0.5))
    try await open.decide(check.id, sampleResult(), keeping: [image])
    func files(_ path: String) throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
    }
    let needles = [Data(mark), Data("26.125".utf8), Data("31.25".utf8)]
    for needle in needles { #expect(try files(path).contains { $0.range(of: needle) != nil }) }
    let sealedPath = folder.appendingPathComponent("sealed.sqlite").path
    let sealed = try SQLiteStore(path: sealedPath, keyring: sampleKeyring(9))
    try await sealed.create(check)
    try await sealed.decide(check.id, sampleResult(), keeping: [image])
    for needle in needles { #expect(try files(sealedPath).allSatisfy { $0.range(of: needle) == nil }) }
    #expect(try await sealed.images(of: check.id) == [image])
  }

  @Test func `concurrent writes are all committed and a failed one affects no other`() async throws {
    let store = try open()
    try await store.create(try sampleCheck("chk_taken"))
    let outcomes = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
      for number in 0..<600 {
        group.addTask {
          // Every third ID already exists.
          let check = try sampleCheck(number.isMultiple(of: 3) ? "chk_taken" : "chk_\(number)")
          do {
            try await store.create(check)
            return (number, true)
          } catch let error as StoreError where error.code == .duplicate {
            return (number, false)
          }
        }
      }
      return try await group.reduce(into: [Int: Bool]()) { $0[$1.0] = $1.1 }
    }
    #expect(outcomes.count == 600 && outcomes.allSatisfy { $0.value == !$0.key.isMultiple(of: 3) })
    let anew = try open()
    for number in 0..<600 where !number.isMultiple(of: 3) {
      #expect(try await anew.check(try #require(CheckID("chk_\(number)"))) != nil)
    }
  }

  @Test func `acknowledged writes are present after reopening`() async throws {
    let check = try sampleCheck()
    do {
      let store = try open()
      try await store.create(check)
      try await store.decide(check.id, try sampleResult())
    }
    let found = try #require(try await open().check(check.id))
    #expect(
      found.record.id == check.id && found.record.tasks == check.tasks && found.record.reference == check.reference)
    #expect(found.record.faceReference == nil, "a verdict deletes the reference")
    #expect(found.result == (try sampleResult()))
  }

  @Test func `acknowledged writes survive a power failure because commits wait for the disk`() async throws {
    let store = try open()
    #expect(try await store.database.writerSynchronization() == 2, "PRAGMA synchronous: 2 is FULL")
  }

  @Test func `errors contain the location and the remedy and never a value`() async throws {
    let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: "/nowhere/at/all/mien.sqlite") }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains("/nowhere/at/all") == true)
    let store = try open()
    let check = try sampleCheck()
    try await store.create(check)
    let twice = await #expect(throws: StoreError.self) { try await store.create(check) }
    #expect(twice?.reason.contains("ada") == false && twice?.reason.contains("order") == false)
  }

  @Test func `a file that is not a database is rejected`() throws {
    let path = folder.appendingPathComponent("broken.sqlite")
    try Data("this is no database, it only has the name of one".utf8).write(to: path)
    #expect(throws: StoreError.self) { _ = try SQLiteStore(path: path.path) }
  }
}
