internal import Synchronization

/// Spans that wait to be sent. Who adds one never waits: what does not fit is dropped, and counted.
final class SpanBuffer: Sendable {
  /// What became of spans.
  struct Counts: Hashable, Sendable {
    var sent = 0
    var dropped = 0
  }

  private struct State {
    var waiting: [FinishedSpan] = []
    var counts = Counts()
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// - Parameter capacity: how many may wait; one takes less than a kilobyte.
  init(capacity: Int) { self.capacity = capacity }

  var counts: Counts { state.withLock { $0.counts } }

  func add(_ span: FinishedSpan) {
    state.withLock { state in
      guard state.waiting.count < capacity else {
        state.counts.dropped += 1
        return
      }
      state.waiting.append(span)
    }
  }

  /// The oldest, which wait no more.
  func take(atMost count: Int) -> [FinishedSpan] {
    state.withLock { state in
      let taken = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(taken.count)
      return taken
    }
  }

  func sent(_ count: Int) { state.withLock { $0.counts.sent += count } }

  func dropped(_ count: Int) { state.withLock { $0.counts.dropped += count } }
}
