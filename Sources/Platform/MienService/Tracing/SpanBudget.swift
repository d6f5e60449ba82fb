internal import Synchronization
internal import Tracing

/// How many parts of a job may still be written down.
final class SpanBudget: Sendable {
  /// Where a job's parts find it.
  enum Key: InstrumentationContextKey { typealias Value = SpanBudget }

  private let state: Mutex<(left: Int, leftOut: Int)>

  init(_ count: Int) { state = Mutex((left: count, leftOut: 0)) }

  /// How many were not written down.
  var leftOut: Int { state.withLock { $0.leftOut } }

  /// True when one more may be written down.
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
