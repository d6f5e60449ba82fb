internal import Synchronization
internal import Tracing

/// Records spans in a buffer, with IDs as defined by W3C Trace Context and OpenTelemetry.
final class OTLPTracer: Tracer {
  typealias Span = OTLPSpan

  private let queue: SpanBuffer
  private let oneIn: UInt64
  private let randomness: Mutex<any RandomNumberGenerator & Sendable>

  /// - Parameter oneIn: sampling ratio, one in so many, of requests that are not part of a client's trace. Work outside
  ///   of requests is always sampled; requests in a client's trace follow the client's decision.
  init(_ queue: SpanBuffer, oneIn: Int, generator: any RandomNumberGenerator & Sendable) {
    self.queue = queue
    self.oneIn = UInt64(max(1, oneIn))
    self.randomness = Mutex(generator)
  }

  func startSpan<Moment: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
    at moment: @autoclosure () -> Moment, function _: String, file _: String, line _: UInt
  ) -> OTLPSpan {
    var context = context()
    let parent = context[TraceContext.Key.self]
    let place = place(under: parent, kind)
    context[TraceContext.Key.self] = place
    return OTLPSpan(
      operationName, kind: kind, context: context, place: place, parent: parent,
      start: moment().nanosecondsSinceEpoch, queue: place.isSampled ? queue : nil)
  }

  private func place(under parent: TraceContext?, _ kind: SpanKind) -> TraceContext {
    randomness.withLock { generator in
      let name: UInt64 = generator.next()
      if let parent { return TraceContext(trace: parent.trace, span: name | 1, isSampled: parent.isSampled) }
      let (first, last): (UInt64, UInt64) = (generator.next(), generator.next())
      return TraceContext(
        trace: TraceContext.Trace(first: first, last: last | 1), span: name | 1,
        isSampled: kind != .server || first % oneIn == 0)
    }
  }

  /// Does nothing: spans are exported separately from the buffer.
  func forceFlush() {}

  func inject<Carrier, Inject: Injector>(
    _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
  ) where Inject.Carrier == Carrier {
    guard let place = context[TraceContext.Key.self] else { return }
    injector.inject(place.traceparent, forKey: "traceparent", into: &carrier)
  }

  func extract<Carrier, Extract: Extractor>(
    _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
  ) where Extract.Carrier == Carrier {
    guard let text = extractor.extract(key: "traceparent", from: carrier), let place = TraceContext(traceparent: text)
    else { return }
    context[TraceContext.Key.self] = place
  }
}
