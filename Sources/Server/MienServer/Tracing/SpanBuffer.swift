internal import Synchronization

/// Buffer of finished spans. Adding one never blocks: spans that do not fit are dropped and counted.
final class SpanBuffer: Sendable {
  /// Numbers of sent and dropped spans.
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

  /// - Parameter capacity: maximum number of buffered spans; each takes less than a kilobyte.
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

  /// Removes and returns the oldest spans.
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
