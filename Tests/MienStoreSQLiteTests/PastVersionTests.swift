import Foundation
import GRDB
import MienAvatars
import MienChallenges
import MienModel
import MienService
import MienStoreSQLite
import Testing

@Suite struct `Databases of past versions` {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Fixtures")

  static let dumps: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
    return names.filter { $0.hasSuffix(".sql") }.sorted()
  }()

  @Test func `there is a dump of every version that left the house`() {
    #expect(Self.dumps == [1, 2, 3, 4, 7, 9].map { "schema-\($0).sql" })
  }

  @Test(arguments: dumps) func `opens and reads what was kept`(dump: String) async throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-past-\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sql = try String(contentsOf: Self.fixtures.appendingPathComponent(dump), encoding: .utf8)
    let old = try DatabaseQueue(path: path)
    try await old.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try old.close()

    let store = try SQLiteStore(path: path)
    let (decidedID, openID) = (try #require(SessionID("chk_old")), try #require(SessionID("chk_open")))
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
    guard dump != "schema-1.sql" else {
      #expect(decided.result?.received == nil && decided.result?.settings == nil)
      return
    }
    #expect(decided.result?.received?.count == 19 && decided.result?.settings == "head-turn-1 depth-gate-1")
    #expect(try await store.pictures(of: decidedID).map(\.kind) == [.reference, .audit])
    #expect(try await store.dialectSession(of: decidedID)?.requestToken == "order-1")
    #expect(try await store.secrets(.awsAccessKey).map(\.name) == ["MIENEXAMPLEEXAMPLE77"])
    guard dump != "schema-2.sql" else {
      #expect(decided.record.device == nil)
      return
    }
    #expect(decided.record.device?.text == "phone-1")
    #expect(open.record.tasks?.wishes.map(\.kind) == (dump == "schema-3.sql" ? nil : ["blink"]))
    #expect(decided.record.attempts == 1 && decided.record.auditPictures == nil && !decided.record.keepsClip)
    #expect(decided.result?.earlier == [])
    let isNewest = ["schema-7.sql", "schema-9.sql"].contains(dump)
    #expect(try await store.webhooks().map(\.url) == (isNewest ? ["http://127.0.0.1:9/hook"] : []))
    let message = try await store.message(try #require(MessageCode(text: "DEW7-678J-0S0X-NE0P")))
    #expect((message != nil) == isNewest)
    let capture = try await store.capture(try #require(CaptureID("cap_fcLKB0LRpmKTq_ETGwgQHfS-DlH0NA8p")))
    #expect((capture != nil) == (dump == "schema-9.sql"))
    let until = UnixTime(milliseconds: 1_767_227_410_000)
    #expect(try await store.lockout(of: .person(ada)) == LockoutMachine(lockedUntil: until))
  }
}
