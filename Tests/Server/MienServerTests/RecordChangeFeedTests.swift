import MienCore
import MienTestSupport
import Synchronization
import Testing

@testable import MienServer

/// Events that name the lists of records that have changed.
@Suite struct `Changes of lists` {
  /// Records that the feed reads.
  private final class Records: Sendable {
    let lists = Mutex<[RecordChangeFeed.List: [String]]>([.checks: ["a"], .messages: ["m"]])
    let reads = Mutex(0)

    func set(_ list: RecordChangeFeed.List, _ records: [String]) { lists.withLock { $0[list] = records } }

    func read(_ list: RecordChangeFeed.List) -> [String]? {
      reads.withLock { $0 += list == .checks ? 1 : 0 }
      return lists.withLock { $0[list] }
    }
  }

  private let clock = ManualClock()
  private let records = Records()

  private func feed() -> RecordChangeFeed {
    RecordChangeFeed(clock: clock) { [records] in records.read($0) }
  }

  /// Advances the clock by a second once the feed waits for it.
  private func second(_ feed: RecordChangeFeed) async {
    let before = records.reads.withLock { $0 }
    while records.reads.withLock({ $0 }) == before, await feed.isWatched {
      clock.advance(by: .seconds(1))
      await Task.yield()
    }
  }

  @Test func `a change is sent to every client with only the name of the list`() async {
    let feed = feed()
    var (one, other) = (await feed.watch().makeAsyncIterator(), await feed.watch().makeAsyncIterator())
    await second(feed)
    records.set(.messages, ["m", "n"])
    await second(feed)
    await second(feed)
    #expect(await one.next() == .changed(.messages))
    #expect(await other.next() == .changed(.messages))
  }

  @Test func `without changes, a stream sends idle events and ends after a minute`() async {
    let feed = feed()
    let stream = await feed.watch()
    var events: [RecordChangeFeed.Event] = []
    for _ in 0..<70 { await second(feed) }
    for await event in stream { events.append(event) }
    #expect(events == [.idle, .idle, .idle])
  }

  @Test func `nothing is read while no client watches`() async {
    let feed = feed()
    var stream: AsyncStream<RecordChangeFeed.Event>? = await feed.watch()
    await second(feed)
    let task = Task { [stream] in
      guard let stream else { return }
      for await _ in stream {}
    }
    stream = nil
    task.cancel()
    await task.value
    while await feed.isWatched { await Task.yield() }
    // The last read may be in progress.
    clock.advance(by: .seconds(1))
    for _ in 0..<100 { await Task.yield() }
    let reads = records.reads.withLock { $0 }
    for _ in 0..<10 {
      clock.advance(by: .seconds(1))
      for _ in 0..<20 { await Task.yield() }
    }
    #expect(records.reads.withLock { $0 } == reads)
  }
}
