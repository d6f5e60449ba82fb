internal import MienCore
internal import NIOCore
internal import NIOHTTP1

/// Rejects HTTP/1.1 requests without exactly one valid `Host` header (RFC 9112, section 3.2) with status 400.
///
/// The handler is placed before the codec that keeps only one of several `Host` headers.
final class HostHeader: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// `true` once a request was rejected: nothing that follows on the connection is parsed as a request.
  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), !Self.isValid(head) {
      hasRefused = true
      // Rejected in order, after the responses to earlier requests, like input that is not HTTP; this closes the
      // connection.
      return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }
    context.fireChannelRead(data)
  }

  static func isValid(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["Host"]
    guard let host = hosts.first else { return head.version != .http1_1 }
    return hosts.count == 1 && host.utf8.count <= 1024 && host.utf8.allSatisfy(isPart)
  }

  /// Returns `true` for the bytes allowed in a name or an address with a port (RFC 3986, section 3.2.2).
  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-._~%!$&'()*+;=:[]".utf8.contains(byte)
  }
}
