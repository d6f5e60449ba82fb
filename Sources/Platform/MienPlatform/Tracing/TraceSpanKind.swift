internal import Tracing

/// The role of a span in a request.
public enum TraceSpanKind: Sendable {
  /// An internal operation.
  case inside
  /// Handles a request.
  case answering
  /// Sends a request and waits for the response: to a database, a blob store or another server.
  case asking

  var kind: SpanKind {
    switch self {
    case .inside: .internal
    case .answering: .server
    case .asking: .client
    }
  }
}
