import MienPlatform
import Testing

@Suite struct `Purge counter` {
  private struct Failure: Error {}

  @Test func `deletions are counted by kind and reported once`() async throws {
    let counter = PurgeCounter()
    counter.note(.images, 9)
    counter.note(.checks, 3)
    counter.note(.clips, 0)
    #expect(counter.totals == [.checks: 3, .images: 9])
    var texts: [String] = []
    try await counter.report(at: UnixTime(milliseconds: 1)) { texts.append($0.text) }
    // Nothing was deleted since.
    try await counter.report(at: UnixTime(milliseconds: 2)) { texts.append($0.text) }
    counter.note(.scans, 1)
    try await counter.report(at: UnixTime(milliseconds: 3)) { texts.append($0.text) }
    #expect(texts == ["checks:3/images:9", "scans:1"])
    #expect(counter.totals == [.checks: 3, .images: 9, .scans: 1])
    #expect(counter.last?.at == UnixTime(milliseconds: 3) && counter.last?.counts == [.scans: 1])
  }

  @Test func `a failed report is repeated and later counts follow in the next one`() async throws {
    let counter = PurgeCounter()
    counter.note(.checks, 2)
    await #expect(throws: Failure.self) {
      try await counter.report(at: UnixTime(milliseconds: 1)) { _ in throw Failure() }
    }
    #expect(counter.last == nil)
    var texts: [String] = []
    try await counter.report(at: UnixTime(milliseconds: 2)) { report in
      counter.note(.checks, 5)
      texts.append(report.text)
    }
    try await counter.report(at: UnixTime(milliseconds: 3)) { texts.append($0.text) }
    #expect(texts == ["checks:2", "checks:5"])
  }
}
