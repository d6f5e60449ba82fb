import Foundation
import GRDB
import MienAvatars
import MienLiveness
import MienCore
import MienService
import Testing

@testable import MienStoreSQLite

@Suite struct `Databases of past versions` {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static let dumps: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
    return names.filter { $0.hasSuffix(".sql") }.sorted()
  }()

  @Test func `there is a dump of every version but the present one`() async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-new-\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    _ = try SQLiteStore(path: path)
    let versions = try await DatabaseQueue(path: path).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations")
    }
    #expect(Set(Self.dumps) == Set((1..<(versions ?? 0)).map { "schema-\($0).sql" }))
  }

  /// Returns the schema of a database, independent of the formatting of its SQL.
  private func shape(_ database: DatabaseQueue) async throws -> Set<[String]> {
    try await database.read { db in
      let sql = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'"
      return Set(
        try Row.fetchAll(db, sql: sql).map { row in
          let words = (row["sql"] as String).split { " \n".contains($0) }.joined(separator: " ")
          return [row["type"], row["name"], words.replacing("\"", with: "")]
        })
    }
  }

  @Test(arguments: dumps) func `no migration that left the house was edited`(dump: String) async throws {
    let version = try #require(Int(dump.dropFirst("schema-".count).dropLast(".sql".count)))
    let (left, made) = (try DatabaseQueue(), try DatabaseQueue())
    let sql = try String(contentsOf: Self.fixtures.appendingPathComponent(dump), encoding: .utf8)
    try await left.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try Schema.migrator.migrate(made, upTo: Schema.migrator.migrations[version - 1])
    let (was, isNow) = (try await shape(left), try await shape(made))
    #expect(was == isNow, "\(was.symmetricDifference(isNow))")
  }

  @Test(arguments: dumps) func `opens and reads what was kept`(dump: String) async throws {
    let version = try #require(Int(dump.dropFirst("schema-".count).dropLast(".sql".count)))
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-past-\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sql = try String(contentsOf: Self.fixtures.appendingPathComponent(dump), encoding: .utf8)
    let old = try DatabaseQueue(path: path)
    try await old.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try old.close()

    let store = try SQLiteStore(path: path)
    let (decidedID, openID) = (try #require(CheckID("chk_old")), try #require(CheckID("chk_open")))
    let ada = try #require(PersonID("ada"))
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
    let open = try #require(await store.check(openID))
    #expect(open.result == nil)
    #expect(
      try await store.expired(before: UnixTime(milliseconds: 1_767_225_900_000), limit: 9).map(\.text) == ["chk_open"])
    #expect(try await store.thresholds(of: ada)?.shape.noseRelief == 20)
    #expect(try await !store.hasNoKeys())
    guard version > 1 else {
      #expect(decided.result?.received == nil && decided.result?.settings == nil)
      return
    }
    #expect(decided.result?.received?.count == 19 && decided.result?.settings == "head-turn-1 depth-gate-1")
    #expect(try await store.images(of: decidedID).map(\.kind) == [.reference, .audit])
    #expect(try await store.dialectSession(of: decidedID)?.requestToken == "order-1")
    #expect(try await store.secrets(.awsAccessKey).map(\.name) == ["MIENEXAMPLEEXAMPLE77"])
    guard version > 2 else {
      #expect(decided.record.device == nil)
      return
    }
    #expect(decided.record.device?.text == "phone-1")
    #expect(open.record.tasks?.wishes.map(\.kind) == (version == 3 ? nil : ["blink"]))
    #expect(decided.record.attempts == 1 && decided.record.auditImages == nil && !decided.record.keepsClip)
    #expect(decided.result?.earlier == [])
    #expect(try await store.webhooks().map(\.url) == (version >= 5 ? ["http://127.0.0.1:9/hook"] : []))
    let message = try await store.message(try #require(MessageID(text: "DEW7-678J-0S0X-NE0P")))
    #expect((message?.sealed != nil) == (version >= 7))
    let capture = try await store.capture(try #require(CaptureID("cap_fcLKB0LRpmKTq_ETGwgQHfS-DlH0NA8p")))
    #expect((capture != nil) == (version >= 9))
    let until = UnixTime(milliseconds: 1_767_227_410_000)
    #expect(try await store.lockout(of: .person(ada)) == LockoutPolicy(lockedUntil: until))
    try await readsWhatLaterVersionsBrought(store, version, open: openID)
  }

  private func readsWhatLaterVersionsBrought(_ store: SQLiteStore, _ version: Int, open: CheckID) async throws {
    let scans = try await store.scans(ScanQuery()).items
    #expect(scans.map(\.label) == (version >= 11 ? ["first", "second"] : []))
    if version >= 11 {
      let scan = try #require(await store.scan(scans[0].id))
      #expect(scan.status == .uploading && scan.files.map(\.name) == ["scan.zip"] && scan.files[0].bytes == 1000)
      #expect(scans[1].status == .failed && scans[1].problem?.code == "no-depth")
      let subject = try #require(await store.scanSubjects(ScanSubjectQuery()).items.first)
      #expect(subject.name == "Ada" && subject.note == "left side" && subject.due == "2026-11-24" && subject.scans == 2)
    }
    let named = try await store.keys().filter { $0.name != nil }
    #expect(named.map(\.name) == (version >= 12 ? ["front"] : []))
    #expect(version < 12 || named[0].scopes == [.checks, .read])
    #expect(try await store.auditRecords(after: 0, limit: 9).count == (version >= 12 ? 2 : 0))
    if version >= 13 {
      let phone = try #require(DeviceID("phone-4236-1"))
      let device = try #require(await store.device(phone))
      #expect(device.attested?.counter == 7)
      let challenge = try #require(SecretDigest(bytes: [UInt8](repeating: 7, count: 32)))
      #expect(try await store.takeChallenge(challenge, at: UnixTime(milliseconds: 1_795_317_450_000)))
    }
    #expect(try await store.accounts().map(\.name.text).sorted() == (version >= 14 ? ["anna", "vera"] : []))
    let taken = try #require(await store.acquire(open, at: UnixTime(milliseconds: 1_795_461_902_000)))
    #expect((taken.hold?.state != nil) == (version >= 15))
    let tries = try await store.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sign_in_try") }
    #expect(tries == (version >= 17 ? 1 : 0))
  }
}
