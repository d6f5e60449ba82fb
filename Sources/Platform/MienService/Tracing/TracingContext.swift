public import Tracing

/// Where pieces of work are written down as spans: what each was a part of, and how long it took (OpenTelemetry).
///
/// Where nobody wants to know, a piece of work costs one comparison more. What is written down is closed by its types: names are words
/// of the code (``SpanName``), facts are numbers and words of closed sets (``SafeSpanAttribute``); no id, no path and nothing that somebody sent
/// can be among them. A part is written down only within a job that is, so that what a server does all day beside requests is nowhere.
public struct TracingContext: Sendable {
  /// How many parts of one job are written down, at most: a scan of gigabytes is read in thousands of pieces.
  public static let mostParts = 256

  /// Writes nothing down.
  public static var off: TracingContext { TracingContext(nil) }

  private let tracer: (any Tracer)?

  /// - Parameter tracer: takes the spans; of the process's own that is `InstrumentationSystem.tracer`. nil: nobody does.
  public init(_ tracer: (any Tracer)?) { self.tracer = tracer }

  /// False where nobody wants to know.
  public var isOn: Bool { tracer != nil }

  // MARK: - Jobs

  /// Begins a job: what is done for no other job of this server.
  ///
  /// - Parameters:
  ///   - headers: of a request, which may say whose trace it is a part of; nil begins a trace.
  /// - Returns: nil where the job is not to be written down; else whoever began it ends it.
  public func begin(
    _ name: SpanName, _ role: TraceSpanKind = .inside, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
    for headers: TraceHeaders? = nil
  ) -> ActiveSpan? {
    guard let tracer else { return nil }
    let context = Self.context(headers, tracer)
    return chosen(tracer.startSpan(name.text, context: context, ofKind: role.kind), facts())
  }

  /// Does a job, written down where that is wanted.
  public func job<Value>(
    _ name: SpanName, _ role: TraceSpanKind = .inside, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
    _ body: () async throws -> Value
  ) async throws -> Value {
    guard let span = begin(name, role, facts()) else { return try await body() }
    do {
      let value = try await span.within(body)
      span.end()
      return value
    } catch {
      span.end(.failed(error))
      throw error
    }
  }

  /// Writes down a job that is over.
  ///
  /// - Parameters:
  ///   - ended: when it was over.
  ///   - ending: how.
  public func write(
    _ name: SpanName, _ role: TraceSpanKind, _ facts: @autoclosure () -> [SafeSpanAttribute], ended: UnixTime,
    after took: Duration,
    _ ending: SpanOutcome = .done, for headers: TraceHeaders? = nil
  ) {
    guard let tracer else { return }
    let end = UInt64(max(0, ended.milliseconds)) * 1_000_000
    let nanoseconds = took.components.seconds * 1_000_000_000 + took.components.attoseconds / 1_000_000_000
    let start = end - min(end, UInt64(max(0, nanoseconds)))
    let context = Self.context(headers, tracer)
    let span = tracer.startSpan(
      name.text, context: context, ofKind: role.kind, at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: start))
    chosen(span, facts())?.end(ending, at: DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end))
  }

  private static func context(_ headers: TraceHeaders?, _ tracer: any Tracer) -> InstrumentationContext {
    var context = InstrumentationContext.topLevel
    if let headers { tracer.extract(headers, into: &context, using: TraceHeaders.Reader()) }
    return context
  }

  private func chosen(_ span: any Tracing.Span, _ facts: @autoclosure () -> [SafeSpanAttribute]) -> ActiveSpan? {
    guard span.isRecording else {
      span.end()
      return nil
    }
    let job = ActiveSpan(span, budget: SpanBudget(Self.mostParts), isJob: true)
    job.note(facts())
    return job
  }

  // MARK: - Parts

  /// Begins a part of the job that is being done; nil where none is, or where it is not written down.
  ///
  /// - Parameter isCounted: false for the few that are written down however many there were before.
  public func beginPart(
    _ name: SpanName, _ role: TraceSpanKind = .inside, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
    isCounted: Bool = true
  ) -> ActiveSpan? {
    guard let tracer, let context = InstrumentationContext.current, let budget = context[SpanBudget.Key.self],
      !isCounted || budget.take()
    else { return nil }
    let part = ActiveSpan(
      tracer.startSpan(name.text, context: context, ofKind: role.kind), budget: budget, isJob: false)
    part.note(facts())
    return part
  }
}
