internal import Synchronization
internal import Tracing

/// Limits the number of spans recorded for a job.
final class SpanBudget: Sendable {
  /// Context key under which child spans find the budget.
  enum Key: InstrumentationContextKey { typealias Value = SpanBudget }

  private let state: Mutex<(left: Int, leftOut: Int)>

  init(_ count: Int) { state = Mutex((left: count, leftOut: 0)) }

  /// Number of spans not recorded.
  var leftOut: Int { state.withLock { $0.leftOut } }

  /// Consumes one span from the budget; returns `false` if it is exhausted.
  func take() -> Bool {
    state.withLock { state in
      guard state.left > 0 else {
        state.leftOut += 1
        return false
      }
      state.left -= 1
      return true
    }
  }
}
