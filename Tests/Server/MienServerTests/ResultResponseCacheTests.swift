import Hummingbird
import MienCore
import MienPlatform
import MienTestSupport
import Testing

@testable import MienServer

/// Cached responses and their invalidation.
@Suite struct `Result response cache` {
  private let responses = ResultResponseCache(capacity: 3)
  private let start = UnixTime(milliseconds: 1_000_000)

  private func check(_ name: String) throws -> CheckID { try #require(CheckID(name)) }

  private func entry(_ check: CheckID) -> ResultResponseCache.Entry {
    .init(check: check, version: 7, signed: "jws of \(check.text)", response: ByteBuffer(string: "response"))
  }

  private func found(_ check: CheckID) -> ResultResponseCache.Entry? { responses.entry(of: check) }

  @Test func `a response is returned for its check only`() throws {
    let check = try check("chk_1")
    #expect(found(check) == nil)
    responses.keep(entry(check))
    #expect(found(check)?.signed == "jws of chk_1" && found(check)?.version == 7)
    #expect(found(try self.check("chk_2")) == nil, "another check")
  }

  @Test func `one check or all checks can be invalidated`() throws {
    let checks = try ["chk_1", "chk_2"].map { try check($0) }
    for check in checks { responses.keep(entry(check)) }
    responses.remove(checks[0])
    #expect(checks.map { found($0) != nil } == [false, true])
    responses.clear()
    #expect(checks.allSatisfy { found($0) == nil })
  }

  @Test func `the cache holds at most twice its capacity and keeps recently used entries`() throws {
    let checks = try (0..<100).map { try check("chk_\($0)") }
    for check in checks {
      responses.keep(entry(check))
      #expect(found(checks[0]) != nil, "it is requested regularly")
      #expect(responses.count <= 6)
    }
    #expect(responses.count >= 3)
  }

  @Test func `unused entries expire within a minute`() throws {
    let (idle, busy) = (try check("chk_idle"), try check("chk_busy"))
    responses.purgeExpired(at: start)
    responses.keep(entry(idle))
    responses.keep(entry(busy))
    for second in 1...60 {
      responses.purgeExpired(at: start.adding(.seconds(Double(second))))
      #expect(found(busy) != nil)
    }
    #expect(responses.count == 1)
    #expect(found(idle) == nil)
  }

  @Test func `setting the clock back does not prevent expiry`() throws {
    let check = try check("chk_1")
    responses.purgeExpired(at: start)
    responses.keep(entry(check))
    for second in 0...60 { responses.purgeExpired(at: UnixTime(milliseconds: Int64(second) * 1000)) }
    #expect(responses.count == 0)
  }
}
