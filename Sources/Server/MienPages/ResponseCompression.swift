public import Hummingbird
internal import HTTPTypes
internal import MienCompression
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Compresses text in responses with gzip (RFC 9110, section 8.4.1.3) for clients that accept it.
///
/// Files are compressed once, and cached as long as their entity tag stays the same. Other responses are compressed each time. Only
/// responses to `GET` are compressed: no other page can add text of its own to them and guess a secret from the compressed size (BREACH).
public final class ResponseCompression: Sendable {
  private struct Key: Hashable {
    let path: String
    let tag: String
  }

  /// Sizes in bytes: of the smallest and the largest body that is compressed, and of all cached ones together.
  private static let smallest = 1 << 10
  private static let largest = 4 << 20
  private static let total = 16 << 20

  private let stored = Mutex<[Key: ByteBuffer]>([:])

  public init() {}

  /// Replaces the body of a response with a compressed one, if it is text and the client accepts it.
  public func apply(to response: inout Response, for request: Request) async throws {
    guard request.method == .get, response.status == .ok || response.status == .notFound, Self.isText(response),
      response.headers[.contentEncoding] == nil, let size = response.body.contentLength,
      (Self.smallest...Self.largest).contains(size)
    else { return }
    let vary = response.headers[.vary].map { $0 + ", " } ?? ""
    response.headers[.vary] = vary + "Accept-Encoding"
    guard Self.accepts(request.headers[.acceptEncoding]) else { return }
    let packed = try await packed(response, path: request.uri.path)
    response.body = .init(byteBuffer: packed)
    response.headers[.contentEncoding] = "gzip"
    response.headers[.contentLength] = "\(packed.readableBytes)"
    // Ranges count bytes of the file, not of its compressed form.
    response.headers[.acceptRanges] = nil
  }

  private func packed(_ response: Response, path: String) async throws -> ByteBuffer {
    let key = response.headers[.eTag].map { Key(path: path, tag: $0) }
    if let key, let known = stored.withLock({ $0[key] }) { return known }
    let collector = Collector()
    try await response.body.write(collector)
    let bytes = Array(collector.buffer.withLock { $0 }.readableBytesView)
    let made = try await NIOThreadPool.singleton.runIfActive {
      ByteBuffer(bytes: Deflate.gzip(bytes, level: key == nil ? 5 : 9))
    }
    guard let key else { return made }
    stored.withLock { stored in
      // This also removes older versions of files; files that are still in use are compressed again.
      if stored.values.reduce(made.readableBytes, { $0 + $1.readableBytes }) > Self.total { stored.removeAll() }
      stored[key] = made
    }
    return made
  }

  private static func isText(_ response: Response) -> Bool {
    guard let type = response.headers[.contentType]?.prefix(while: { $0 != ";" }) else { return false }
    return type.hasPrefix("text/") && type != "text/event-stream"
      || [
        "application/json", "application/javascript", "application/manifest+json", "application/problem+json",
        "image/svg+xml",
      ].contains(type)
  }

  /// Returns `true` if the value of `Accept-Encoding` permits gzip.
  static func accepts(_ value: String?) -> Bool {
    guard let value else { return false }
    return value.split(separator: ",").contains { coding in
      let parts = coding.filter { $0 != " " }.split(separator: ";")
      guard let name = parts.first?.lowercased(), name == "gzip" || name == "*" else { return false }
      return !parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
    }
  }

  /// Collects a body in memory.
  private final class Collector: ResponseBodyWriter, Sendable {
    let buffer = Mutex(ByteBuffer())

    func write(_ part: ByteBuffer) async throws {
      var part = part
      buffer.withLock { _ = $0.writeBuffer(&part) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}
