public import Tracing

/// Records operations as spans: their hierarchy and duration (OpenTelemetry).
///
/// If tracing is disabled, an operation costs one additional comparison. The types restrict the recorded data: names
/// consist of literals in the code (``SpanName``), attributes are numbers and words of closed sets
/// (``SafeSpanAttribute``); IDs, paths and client data cannot occur. A child span is recorded only within a recorded
/// job, so background activity outside of jobs is not recorded.
public struct TracingContext: Sendable {
  /// Maximum number of child spans recorded per job: a scan of gigabytes is read in thousands of operations.
  public static let mostParts = 256

  /// A context that records nothing.
  public static var off: TracingContext { TracingContext(nil) }

  private let tracer: (any Tracer)?

  /// - Parameter tracer: receives the spans; `InstrumentationSystem.tracer` for the process's tracer. `nil` disables
  ///   tracing.
  public init(_ tracer: (any Tracer)?) { self.tracer = tracer }

  /// `false` if tracing is disabled.
  public var isOn: Bool { tracer != nil }

  // MARK: - Jobs

  /// Begins a job: a top-level operation of this server.
  ///
  /// - Parameters:
  ///   - headers: the headers of a request, which may contain a parent trace; `nil` starts a new trace.
  /// - Returns: `nil` if the job is not recorded; otherwise the caller must end the span.
  public func begin(
    _ name: SpanName, _ role: TraceSpanKind = .internal, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
    for headers: TraceHeaders? = nil
  ) -> ActiveSpan? {
    guard let tracer else { return nil }
    let context = Self.context(headers, tracer)
    return chosen(tracer.startSpan(name.text, context: context, ofKind: role.kind), facts())
  }

  /// Runs a job and records it if tracing is enabled.
  public func job<Value>(
    _ name: SpanName, _ role: TraceSpanKind = .internal, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
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

  /// Records a job that has ended.
  ///
  /// - Parameters:
  ///   - ended: the end time.
  ///   - ending: the outcome.
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

  /// Begins a child span of the current job; returns `nil` if there is no recorded job.
  ///
  /// - Parameter isCounted: `false` for the few spans that are recorded regardless of the budget.
  public func beginPart(
    _ name: SpanName, _ role: TraceSpanKind = .internal, _ facts: @autoclosure () -> [SafeSpanAttribute] = [],
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

/// The trace context headers of a request.
public struct TraceHeaders: Sendable {
  /// Maximum header size that is read: several times the size that the standard allows for `traceparent`.
  public static let mostBytes = 512

  private let read: @Sendable (String) -> String?

  /// - Parameter read: returns the value of the header with this name; `nil` if there is none.
  public init(_ read: @escaping @Sendable (String) -> String?) { self.read = read }

  struct Reader: Extractor {
    func extract(key: String, from headers: TraceHeaders) -> String? {
      guard let text = headers.read(key), text.utf8.count <= TraceHeaders.mostBytes else { return nil }
      return text
    }
  }
}

/// The role of a span in a request.
public enum TraceSpanKind: Sendable {
  /// An internal operation.
  case `internal`
  /// Handles a request.
  case server
  /// Sends a request and waits for the response: to a database, a blob store or another server.
  case client

  var kind: SpanKind {
    switch self {
    case .internal: .internal
    case .server: .server
    case .client: .client
    }
  }
}
