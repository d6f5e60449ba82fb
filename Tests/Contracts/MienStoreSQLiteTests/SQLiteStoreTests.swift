import Foundation
import MienCore
import MienService
import MienTestSupport
import Testing

@testable import MienStoreSQLite

@Suite struct `SQLite store` {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-store-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func open() throws -> SQLiteStore { try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path) }

  @Test func `keeps the contract of check stores`() async throws { try await checkCheckStore { try open() } }
  @Test func `keeps the contract of snapshot stores`() async throws { try await checkSnapshotStore { try open() } }
  @Test func `keeps the contract of key stores`() async throws { try await checkAPIKeyStore { try open() } }
  @Test func `keeps the contract of key rings`() async throws { try await checkAPIKeyLookup { try open() } }
  @Test func `keeps the contract of account stores`() async throws { try await checkAccountStore { try open() } }
  @Test func `keeps the contract of tries to sign in`() async throws {
    try await checkTries({ try open() }, passing: { _, _ in })
  }
  @Test func `keeps the contract of parts that are looked at`() async throws {
    let store = try open()
    try await checkHealthCheckable(store) { try await store.accounts().count }
  }
  @Test func `keeps the contract of audit stores`() async throws { try await checkAuditStore { try open() } }
  @Test func `keeps the contract of enrollment stores`() async throws { try await checkEnrollmentStore { try open() } }
  @Test func `keeps the contract of sealed secret stores`() async throws {
    try await checkEncryptedSecretStore { try open() }
  }
  @Test func `keeps the contract of dialect session stores`() async throws {
    try await checkCompatibilitySessionStore { try open() }
  }
  @Test func `keeps the contract of subject stores`() async throws { try await checkLockoutStore { try open() } }
  @Test func `keeps the contract of clip stores`() async throws { try await checkClipStore { try open() } }
  @Test func `keeps the contract of webhook stores`() async throws { try await checkWebhookStore { try open() } }
  @Test func `keeps the contract of message stores`() async throws {
    try await checkMessageStore { try open() }
    // Each on a separate database.
    try await checkParallelAttempts { try SQLiteStore(path: folder.appendingPathComponent("parallel.sqlite").path) }
    try await checkMessageExpiry { try SQLiteStore(path: folder.appendingPathComponent("expiry.sqlite").path) }
  }
  @Test func `two servers on one database do not both take the last attempt of a message`() async throws {
    try await checkParallelAttempts { TwoStores(first: try open(), second: try open()) }
  }
  @Test func `keeps the contract of stores that count what is old`() async throws {
    try await checkRetentionStore { try open() }
  }
  @Test func `keeps the contract of performance stores`() async throws {
    try await checkPerformanceStore { try open() }
  }
  @Test func `keeps the contract of capture stores`() async throws { try await checkCaptureStore { try open() } }
  @Test func `keeps the contract of scan stores`() async throws { try await checkScanStore { try open() } }
  @Test func `erases checks with what belongs to them, within quotas`() async throws {
    try await checkErasure {
      try SQLiteStore(path: folder.appendingPathComponent("erasure-\(UUID()).sqlite").path)
    }
  }
  @Test func `keeps the contract of image stores`() async throws { try await checkImageStore { try open() } }

  @Test func `keeps the contract of sealed columns`() async throws {
    let path = folder.appendingPathComponent("sealed.sqlite").path
    try await checkEncryptedColumnStore { try SQLiteStore(path: path, keyring: $0) }
  }
  @Test func `sealed it keeps the contracts of what is sealed`() async throws {
    let keyring = try sampleSeal(9)
    func open(_ name: String) throws -> SQLiteStore {
      try SQLiteStore(path: folder.appendingPathComponent(name).path, keyring: keyring)
    }
    try await checkCheckStore { try open("checks") }
    try await checkSnapshotStore { try open("snapshots") }
    try await checkEnrollmentStore { try open("enrolments") }
    try await checkClipStore { try open("clips") }
    try await checkImageStore { try open("pictures") }
    try await checkCaptureStore { try open("captures") }
    try await checkScanStore { try open("scans") }
    try await checkWebhookStore { try open("webhooks") }
    try await checkCompatibilitySessionStore { try open("sessions") }
  }
  @Test func `nothing that was sealed is left open in its files`() async throws {
    let path = folder.appendingPathComponent("swept.sqlite").path
    let (check, mark) = (try sampleCheck(), Array("a picture of somebody's face".utf8))
    let open = try SQLiteStore(path: path)
    try await open.create(check)
    let image = StoredImage(kind: .audit, bytes: mark, box: FaceBox(x: 0.1, y: 0.25, width: 0.3, height: 0.5))
    try await open.decide(check.id, sampleResult(), keeping: [image])
    func files() throws -> [Data] {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: path + $0)) }
    }
    let needles = [Data(mark), Data("26.125".utf8), Data("31.25".utf8)]
    for needle in needles { #expect(try files().contains { $0.range(of: needle) != nil }) }
    #expect(try await ColumnReencryptionJob(open, keyring: sampleSeal(9)).run().sealed > 3)
    for needle in needles { #expect(try files().allSatisfy { $0.range(of: needle) == nil }) }
    let sealed = try SQLiteStore(path: path, keyring: sampleSeal(9))
    #expect(try await sealed.images(of: check.id) == [image])
  }

  @Test func `many writes at the same time are all kept, and one that fails takes no other with it`() async throws {
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

  @Test func `what was acknowledged is there after opening anew`() async throws {
    let check = try sampleCheck()
    do {
      let store = try open()
      try await store.create(check)
      try await store.decide(check.id, try sampleResult())
    }
    let found = try #require(try await open().check(check.id))
    #expect(found.record == check)
    #expect(found.result == (try sampleResult()))
  }

  @Test func `what is acknowledged survives a power cut: the writer waits for the disk`() async throws {
    let store = try open()
    #expect(try await store.writerSynchronization() == 2, "PRAGMA synchronous: 2 is FULL")
  }

  @Test func `errors name the place and what to do, and never a value`() async throws {
    let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: "/nowhere/at/all/mien.sqlite") }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains("/nowhere/at/all") == true)
    let store = try open()
    let check = try sampleCheck()
    try await store.create(check)
    let twice = await #expect(throws: StoreError.self) { try await store.create(check) }
    #expect(twice?.reason.contains("ada") == false && twice?.reason.contains("order") == false)
  }

  @Test func `a file that is no database is refused`() throws {
    let path = folder.appendingPathComponent("broken.sqlite")
    try Data("this is no database, it only has the name of one".utf8).write(to: path)
    #expect(throws: StoreError.self) { _ = try SQLiteStore(path: path.path) }
  }
}
