internal import Tracing

/// A finished span.
struct FinishedSpan: Sendable {
  let name: String
  let kind: SpanKind
  let place: TraceContext
  let parent: TraceContext?
  /// Start time in nanoseconds since 1970.
  let start: UInt64
  /// End time in nanoseconds since 1970, never before the start.
  let end: UInt64
  let attributes: SpanAttributes
  let hasFailed: Bool
}
