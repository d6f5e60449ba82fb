internal import Tracing

/// What a request may say of the trace that it is a part of.
public struct TraceHeaders: Sendable {
  /// More of a header is not looked at: what the standard allows for `traceparent` fits several times over.
  public static let mostBytes = 512

  private let read: @Sendable (String) -> String?

  /// - Parameter read: the value of the header of this name; nil where there is none.
  public init(_ read: @escaping @Sendable (String) -> String?) { self.read = read }

  struct Reader: Extractor {
    func extract(key: String, from headers: TraceHeaders) -> String? {
      guard let text = headers.read(key), text.utf8.count <= TraceHeaders.mostBytes else { return nil }
      return text
    }
  }
}
