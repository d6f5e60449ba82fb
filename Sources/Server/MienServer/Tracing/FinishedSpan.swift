internal import Tracing

/// A span that is over.
struct FinishedSpan: Sendable {
  let name: String
  let kind: SpanKind
  let place: TraceContext
  let parent: TraceContext?
  /// In nanoseconds since 1970.
  let start: UInt64
  /// In nanoseconds since 1970, never before the start.
  let end: UInt64
  let attributes: SpanAttributes
  let hasFailed: Bool
}
