internal import Tracing

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
