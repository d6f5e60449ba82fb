import Hummingbird
import MienCore
import MienService
import MienTestSupport
import Testing

@testable import MienServer

/// Cached responses and their invalidation.
@Suite struct `The shelf of replies` {
  private let shelf = ResultResponseCache(capacity: 3)
  private let start = UnixTime(milliseconds: 1_000_000)

  private func entry(_ record: CheckRecord, _ result: CheckResult) -> ResultResponseCache.Entry {
    .init(record: record, result: result, signed: "jws of \(record.id.text)", reply: ByteBuffer(string: "reply"))
  }

  @Test func `gives what was made of the same check and result`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    #expect(shelf.entry(for: check, result)?.signed == nil)
    shelf.keep(entry(check, result))
    #expect(shelf.entry(for: try sampleCheck(), try sampleResult())?.signed == "jws of chk_1")
  }

  @Test func `gives nothing of a check or result that is not the very same`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    shelf.keep(entry(check, result))
    #expect(shelf.entry(for: check, try sampleResult(.passed)) == nil, "another verdict")
    #expect(shelf.entry(for: try sampleCheck(expires: 182_000), result) == nil, "another expiry")
    #expect(shelf.entry(for: try sampleCheck("chk_2"), result) == nil, "another check")
    let finding = Finding(check: "a", result: .notAssessed(.noFace))
    let changed = CheckResult(
      outcome: result.outcome, reason: result.reason, decided: result.decided, source: result.source,
      frames: result.frames, findings: [finding] + result.findings.dropFirst(), wayOut: result.wayOut,
      wayBack: result.wayBack, received: result.received, settings: result.settings, earlier: result.earlier,
      side: result.side)
    #expect(shelf.entry(for: check, changed) == nil, "another finding")
    #expect(shelf.entry(for: check, result) != nil)
  }

  @Test func `forgets one check, or all`() throws {
    let result = try sampleResult()
    let checks = try ["chk_1", "chk_2"].map { try sampleCheck($0) }
    for check in checks { shelf.keep(entry(check, result)) }
    shelf.forget(checks[0].id)
    #expect(checks.map { shelf.entry(for: $0, result) != nil } == [false, true])
    shelf.clear()
    #expect(checks.allSatisfy { shelf.entry(for: $0, result) == nil })
  }

  @Test func `keeps no more than twice its capacity, and what is asked for longest`() throws {
    let result = try sampleResult()
    let checks = try (0..<100).map { try sampleCheck("chk_\($0)") }
    for check in checks {
      shelf.keep(entry(check, result))
      #expect(shelf.entry(for: checks[0], result) != nil, "it is asked for all the time")
      #expect(shelf.count <= 6)
    }
    #expect(shelf.count >= 3)
  }

  @Test func `forgets within a minute what nobody asks for`() throws {
    let (idle, busy, result) = (try sampleCheck("chk_idle"), try sampleCheck("chk_busy"), try sampleResult())
    shelf.tidy(at: start)
    shelf.keep(entry(idle, result))
    shelf.keep(entry(busy, result))
    for second in 1...60 {
      shelf.tidy(at: start.adding(.seconds(Double(second))))
      #expect(shelf.entry(for: busy, result) != nil)
    }
    #expect(shelf.count == 1)
    #expect(shelf.entry(for: idle, result) == nil)
  }

  @Test func `a clock that was put back does not keep it from forgetting`() throws {
    let (check, result) = (try sampleCheck(), try sampleResult())
    shelf.tidy(at: start)
    shelf.keep(entry(check, result))
    for second in 0...60 { shelf.tidy(at: UnixTime(milliseconds: Int64(second) * 1000)) }
    #expect(shelf.count == 0)
  }
}
