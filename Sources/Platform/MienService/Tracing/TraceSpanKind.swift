internal import Tracing

/// On which side of a request a piece of work stands.
public enum TraceSpanKind: Sendable {
  /// On neither.
  case inside
  /// It answers one.
  case answering
  /// It asks, and waits for the answer: of a database, a store of files, another server.
  case asking

  var kind: SpanKind {
    switch self {
    case .inside: .internal
    case .answering: .server
    case .asking: .client
    }
  }
}
