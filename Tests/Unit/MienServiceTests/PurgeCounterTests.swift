import MienService
import Testing

@Suite struct `Purge counter` {
  private struct Failure: Error {}

  @Test func `deletions are counted by kind and reported once`() async throws {
    let book = PurgeCounter()
    book.note(.images, 9)
    book.note(.checks, 3)
    book.note(.films, 0)
    #expect(book.totals == [.checks: 3, .images: 9])
    var texts: [String] = []
    try await book.report(at: UnixTime(milliseconds: 1)) { texts.append($0.text) }
    // Nothing was deleted since.
    try await book.report(at: UnixTime(milliseconds: 2)) { texts.append($0.text) }
    book.note(.scans, 1)
    try await book.report(at: UnixTime(milliseconds: 3)) { texts.append($0.text) }
    #expect(texts == ["checks:3/pictures:9", "scans:1"])
    #expect(book.totals == [.checks: 3, .images: 9, .scans: 1])
    #expect(book.last?.at == UnixTime(milliseconds: 3) && book.last?.counts == [.scans: 1])
  }

  @Test func `a failed report is repeated and later counts follow in the next one`() async throws {
    let book = PurgeCounter()
    book.note(.checks, 2)
    await #expect(throws: Failure.self) {
      try await book.report(at: UnixTime(milliseconds: 1)) { _ in throw Failure() }
    }
    #expect(book.last == nil)
    var texts: [String] = []
    try await book.report(at: UnixTime(milliseconds: 2)) { report in
      book.note(.checks, 5)
      texts.append(report.text)
    }
    try await book.report(at: UnixTime(milliseconds: 3)) { texts.append($0.text) }
    #expect(texts == ["checks:2", "checks:5"])
  }
}
