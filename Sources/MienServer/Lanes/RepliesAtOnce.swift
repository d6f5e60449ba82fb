internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Answers requests whose reply can be made at once where their bytes came in: no task is woken for them and none for their replies.
///
/// It stands between the handlers that watch a connection's heads, bodies and idle time, which see every request and reply, and the
/// tasks of the server, which see all that is not answered here. Replies keep the order of their requests (RFC 9112, 9.3.2): while one
/// is still to come from a task nothing is answered here, and nothing either to who does not take what was written.
final class RepliesAtOnce: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The reply to a request without a body, given the address of the connection's other end; nil for one that has to go the
  /// whole way.
  typealias Responder = @Sendable (HTTPRequest, String?) -> (head: HTTPResponse, body: ByteBuffer)?

  private let responder: Responder
  private let peer: String?
  /// How many requests that were handed on have no whole reply yet.
  private var open = 0
  /// The head of a request whose end is still to come.
  private var held: HTTPRequest?
  private var hasWritten = false

  init(peer: String?, responder: @escaping Responder) {
    self.peer = peer
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let request):
      guard open > 0 || !context.channel.isWritable || !Self.isPlain(request) else { return held = request }
      open += 1
    case .body: release(context)
    case .end(let trailers):
      if let request = held, trailers == nil, let reply = responder(request, peer) {
        held = nil
        return write(reply, context)
      }
      release(context)
    }
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    release(context)
    if hasWritten {
      hasWritten = false
      context.flush()
    }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    release(context)
    context.fireErrorCaught(error)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { open = max(0, open - 1) }
    context.write(data, promise: promise)
  }

  /// True for a request of which nothing comes behind its head, and after which the connection stays.
  private static func isPlain(_ request: HTTPRequest) -> Bool {
    let fields = request.headerFields
    return request.method == .get && fields[.contentLength] == nil && fields[.transferEncoding] == nil
      && fields[.connection].map { $0 == "keep-alive" } != false
  }

  private func write(_ reply: (head: HTTPResponse, body: ByteBuffer), _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(reply.head)), promise: nil)
    context.write(wrapOutboundOut(.body(reply.body)), promise: nil)
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
    hasWritten = true
  }

  /// Hands on the head that was held back.
  private func release(_ context: ChannelHandlerContext) {
    guard let request = held else { return }
    held = nil
    open += 1
    context.fireChannelRead(wrapInboundOut(.head(request)))
  }
}
