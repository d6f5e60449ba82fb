import Foundation
import MienAvatars
import MienCore
import MienService
import Testing

@testable import MienStorePostgres

/// Databases of past versions: the migrations up to theirs, which are never edited, and rows written by each version.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Past versions on PostgreSQL` {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  /// First eight bytes of the SHA-256 of each released migration.
  private static let shipped = [
    "ef1880147c22f91c", "1d75a8e2223f1d49", "f1c4c32aa205adaf", "732449633a71e9f6", "58ee9991cbf0cd69",
    "99d6562a5ad008de", "12787ea95f299a77", "17f7a7a6c372d54e", "7b28ce9e663c3668", "59b1f03aa96c6679",
    "f442791949a56b2a", "68afbb006b9686f4", "bc36734711df4081",
  ]

  @Test func `no migration that left the house was edited`() {
    let digests = PostgresSchema.migrations.map { migration in
      SecretDigest(of: migration).bytes.prefix(8).map { String(format: "%02x", $0) }.joined()
    }
    // New migrations are added to the list when they are released.
    #expect(digests == Self.shipped)
  }

  /// Creates a schema in the state of a past version and returns its URL.
  private func database(_ version: Int) async throws -> PostgresURL {
    let address = try PostgresServer.shared.get().address("&connection_limit=2")
    let pool = PostgresPool(address, schema: address.schema, times: OperationTimings())
    try await pool.transaction { db in
      try db.script("CREATE SCHEMA \(address.schema); CREATE TABLE mien.migration (version bigint PRIMARY KEY)")
      for number in 1...version {
        try db.script(PostgresSchema.migrations[number - 1])
        try db.send("INSERT INTO mien.migration (version) VALUES ($1)", [number])
        let rows = Self.fixtures.appendingPathComponent("rows-\(number).sql")
        if let rows = try? String(contentsOf: rows, encoding: .utf8) { try db.script(rows) }
      }
    }
    return address
  }

  @Test(arguments: 1..<PostgresSchema.migrations.count) func `open and tell what was kept`(version: Int) async throws {
    let store = try await PostgresStore(try await database(version))
    let done: Int = try await store.pool.read { db in
      try db.rows("SELECT count(*) AS count FROM mien.migration")[0]["count"]
    }
    #expect(done == PostgresSchema.migrations.count)
    let (decidedID, openID) = (try #require(CheckID("chk_old")), try #require(CheckID("chk_open")))
    let decided = try #require(await store.check(decidedID))
    #expect(decided.record.side == .subjectLeft && decided.record.person?.text == "ada")
    #expect(decided.result?.reason == "wrong-direction" && decided.result?.wayOut == [1, 12.5])
    #expect(
      decided.result?.findings == [
        Finding(check: "depth-gate", result: .notAssessed(.noDepth)),
        Finding(
          check: "head-turn",
          result: .suspect(
            Finding.Measure(native: -27.5, score: try #require(Score(0)), calibration: "head-turn-1"),
            because: "wrong-direction")),
      ])
    #expect(decided.result?.received?.count == 19)
    #expect(try await store.images(of: decidedID).map(\.kind) == [.reference, .audit])
    #expect(try await store.dialectSession(of: decidedID)?.requestToken == "order-1")
    #expect(try await store.secrets(.awsAccessKey).map(\.name) == ["MIENEXAMPLEEXAMPLE77"])
    #expect(try await store.webhooks().map(\.url) == ["http://127.0.0.1:9/hook"])
    let ada = try #require(PersonID("ada"))
    #expect(try await store.thresholds(of: ada) != nil)
    let number = try #require(MessageID(text: "DEW7-678J-0S0X-NE0P"))
    #expect(try await store.message(number) != nil)
    let capture = try #require(CaptureID("cap_fcLKB0LRpmKTq_ETGwgQHfS-DlH0NA8p"))
    #expect(try await store.capture(capture) != nil)
    try await tellsWhatLaterVersionsBrought(store, version, open: openID)
  }

  private func tellsWhatLaterVersionsBrought(_ store: PostgresStore, _ version: Int, open: CheckID) async throws {
    let named = try await store.keys().filter { $0.name != nil }
    #expect(named.map(\.name) == (version >= 2 ? ["front"] : []))
    #expect(version < 2 || named[0].scopes == [.checks, .read])
    #expect(try await store.auditRecords(after: 0, limit: 9).count == (version >= 2 ? 2 : 0))
    let scans = try await store.scans(ScanQuery()).items
    #expect(Set(scans.map(\.label)) == (version >= 3 ? ["first", "second"] : []))
    if version >= 3 {
      let first = try #require(scans.first { $0.label == "first" })
      let scan = try #require(await store.scan(first.id))
      #expect(scan.status == .uploading && scan.files.map(\.name) == ["scan.zip"] && scan.files[0].bytes == 1000)
      #expect(scans.first { $0.label == "second" }?.problem?.code == "no-depth")
      let subject = try #require(await store.scanSubjects(ScanSubjectQuery()).items.first)
      #expect(subject.name == "Ada" && subject.note == "left side" && subject.due == "2026-11-24" && subject.scans == 2)
    }
    if version >= 4 {
      let phone = try #require(DeviceID("phone-4236-1"))
      let device = try #require(await store.device(phone))
      #expect(device.attested?.counter == 7)
      let challenge = try #require(SecretDigest(bytes: [UInt8](repeating: 7, count: 32)))
      #expect(try await store.takeChallenge(challenge, at: UnixTime(milliseconds: 1_795_317_450_000)))
    }
    #expect(try await store.accounts().map(\.name.text).sorted() == (version >= 5 ? ["anna", "vera"] : []))
    let taken = try #require(await store.acquire(open, at: UnixTime(milliseconds: 1_795_461_902_000)))
    #expect((taken.hold?.state != nil) == (version >= 6))
    let tries: Int = try await store.pool.read { db in
      try db.rows("SELECT count(*) AS count FROM mien.sign_in_try")[0]["count"]
    }
    #expect(tries == (version >= 8 ? 1 : 0))
  }
}
