internal import Synchronization
internal import Tracing

/// A running span. The caller that began it must end it exactly once.
public struct ActiveSpan: Sendable {
  private let span: any Tracing.Span
  private let budget: SpanBudget
  private let isJob: Bool

  init(_ span: any Tracing.Span, budget: SpanBudget, isJob: Bool) {
    self.span = span
    self.budget = budget
    self.isJob = isJob
  }

  /// Adds attributes.
  public func note(_ facts: [SafeSpanAttribute]) {
    guard !facts.isEmpty else { return }
    span.updateAttributes { attributes in
      for fact in facts { attributes.set(fact.name, value: fact.value) }
    }
  }

  /// Sets a name that is only known at the end.
  public func rename(_ name: SpanName) { span.operationName = name.text }

  /// Runs work whose spans become children of this one.
  public func within<Value>(_ body: () async throws -> Value) async throws -> Value {
    var context = span.context
    context[SpanBudget.Key.self] = budget
    var outcome: Result<Value, any Error>?
    await InstrumentationContext.$current.withValue(context) {
      do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
    }
    guard let outcome else { preconditionFailure("work that was done has an outcome") }
    return try outcome.get()
  }

  /// Ends the span.
  public func end(_ ending: SpanOutcome = .done) {
    finish(ending)
    span.end()
  }

  /// Ends the span with the outcome of its work.
  public func end<Value>(_ outcome: Result<Value, any Error>) {
    switch outcome {
    case .success: end()
    case .failure(let error): end(.failed(error))
    }
  }

  func end(_ ending: SpanOutcome, at time: DefaultTracerClock.Timestamp) {
    finish(ending)
    span.end(at: time)
  }

  private func finish(_ ending: SpanOutcome) {
    if isJob, budget.leftOut > 0 { note([.partsLeftOut(budget.leftOut)]) }
    guard let word = ending.word else { return }
    note([.failure(word)])
    span.setStatus(SpanStatus(code: .error))
  }
}

/// The outcome of an operation in a form that is safe to record in a span.
public enum SpanOutcome: Sendable {
  case done
  /// Only the kind of error is recorded: its text may contain personal data.
  case failed(any Error)
  /// A failure named by a word of a closed set.
  case failure(String)
  /// An HTTP status that indicates an error.
  case status(Int)

  /// The value of `error.type`; `nil` if there was no error.
  var word: String? {
    switch self {
    case .done: nil
    case .failure(let word): word
    case .failed(let error as ServiceError): error.code.text
    case .failed(let error): "\(type(of: error))"
    case .status(let status): "\(status)"
    }
  }
}

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
