import Hummingbird
import MienCore
import MienService
import MienTestSupport
import Testing

@testable import MienServer

/// Cached responses and their invalidation.
@Suite struct `Result response cache` {
  private let responses = ResultResponseCache(capacity: 3)
  private let start = UnixTime(milliseconds: 1_000_000)

  private func entry(_ record: CheckRecord, _ result: CheckResult) -> ResultResponseCache.Entry {
    .init(record: record, result: result, signed: "jws of \(record.id.text)", reply: ByteBuffer(string: "reply"))
  }

  @Test func `a response is returned for the same check and result`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    #expect(responses.entry(for: check, result)?.signed == nil)
    responses.keep(entry(check, result))
    #expect(responses.entry(for: try sampleCheck(), try sampleResult())?.signed == "jws of chk_1")
  }

  @Test func `no response is returned for a different check or result`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    responses.keep(entry(check, result))
    #expect(responses.entry(for: check, try sampleResult(.passed)) == nil, "another verdict")
    #expect(responses.entry(for: try sampleCheck(expires: 182_000), result) == nil, "another expiry")
    #expect(responses.entry(for: try sampleCheck("chk_2"), result) == nil, "another check")
    let finding = Finding(check: "a", result: .notAssessed(.noFace))
    let changed = CheckResult(
      outcome: result.outcome, reason: result.reason, decided: result.decided, source: result.source,
      frames: result.frames, findings: [finding] + result.findings.dropFirst(), wayOut: result.wayOut,
      wayBack: result.wayBack, received: result.received, settings: result.settings, earlier: result.earlier,
      side: result.side)
    #expect(responses.entry(for: check, changed) == nil, "another finding")
    #expect(responses.entry(for: check, result) != nil)
  }

  @Test func `one check or all checks can be invalidated`() throws {
    let result = try sampleResult()
    let checks = try ["chk_1", "chk_2"].map { try sampleCheck($0) }
    for check in checks { responses.keep(entry(check, result)) }
    responses.remove(checks[0].id)
    #expect(checks.map { responses.entry(for: $0, result) != nil } == [false, true])
    responses.clear()
    #expect(checks.allSatisfy { responses.entry(for: $0, result) == nil })
  }

  @Test func `the cache holds at most twice its capacity and keeps recently used entries`() throws {
    let result = try sampleResult()
    let checks = try (0..<100).map { try sampleCheck("chk_\($0)") }
    for check in checks {
      responses.keep(entry(check, result))
      #expect(responses.entry(for: checks[0], result) != nil, "it is asked for all the time")
      #expect(responses.count <= 6)
    }
    #expect(responses.count >= 3)
  }

  @Test func `unused entries expire within a minute`() throws {
    let (idle, busy, result) = (try sampleCheck("chk_idle"), try sampleCheck("chk_busy"), try sampleResult())
    responses.purgeExpired(at: start)
    responses.keep(entry(idle, result))
    responses.keep(entry(busy, result))
    for second in 1...60 {
      responses.purgeExpired(at: start.adding(.seconds(Double(second))))
      #expect(responses.entry(for: busy, result) != nil)
    }
    #expect(responses.count == 1)
    #expect(responses.entry(for: idle, result) == nil)
  }

  @Test func `setting the clock back does not prevent expiry`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    responses.purgeExpired(at: start)
    responses.keep(entry(check, result))
    for second in 0...60 { responses.purgeExpired(at: UnixTime(milliseconds: Int64(second) * 1000)) }
    #expect(responses.count == 0)
  }
}
