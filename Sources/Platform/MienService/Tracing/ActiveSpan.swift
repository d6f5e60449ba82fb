internal import Tracing

/// A piece of work that is being written down. Whoever began it ends it, once.
public struct ActiveSpan: Sendable {
  private let span: any Tracing.Span
  private let budget: SpanBudget
  private let isJob: Bool

  init(_ span: any Tracing.Span, budget: SpanBudget, isJob: Bool) {
    self.span = span
    self.budget = budget
    self.isJob = isJob
  }

  /// Says more about it.
  public func note(_ facts: [SafeSpanAttribute]) {
    guard !facts.isEmpty else { return }
    span.updateAttributes { attributes in
      for fact in facts { attributes.set(fact.name, value: fact.value) }
    }
  }

  /// Gives it the name that is only known when it is done.
  public func rename(_ name: SpanName) { span.operationName = name.text }

  /// Does work whose parts are parts of this.
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

  /// Ends it.
  public func end(_ ending: SpanOutcome = .done) {
    finish(ending)
    span.end()
  }

  /// Ends it as its work did.
  public func end<Value>(_ outcome: Result<Value, any Error>) {
    switch outcome {
    case .success: end()
    case .failure(let error): end(.failed(error))
    }
  }

  /// Ends it as a target answered.
  func end(answered answer: DeliveryResult) {
    switch answer {
    case .status(let status, _):
      note([.status(status)])
      end((200..<300).contains(status) ? .done : .status(status))
    case .failed(let failure): end(.failed(failure))
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
