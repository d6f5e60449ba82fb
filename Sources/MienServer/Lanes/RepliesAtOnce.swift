internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Answers requests where their bytes came in: no task of the server is woken for them and none for their replies.
///
/// It stands between the handlers that watch a connection's heads, bodies and idle time, which see every request and reply, and the
/// tasks of the server, which see all that is not answered here. Replies keep the order of their requests (RFC 9112, 9.3.2): while one
/// is still to come from a task nothing is answered here, and nothing either to who does not take what was written; while one is still
/// to come from here nobody sees what follows its request, of which no more is read than has come already.
final class RepliesAtOnce: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// A reply with all of its body.
  typealias Reply = (head: HTTPResponse, body: ByteBuffer)

  /// What becomes of a request.
  enum Answer {
    /// It goes the whole way.
    case handedOn
    case now(Reply)
    /// The reply comes on the connection's own thread.
    case later(EventLoopFuture<Reply>)
  }

  /// The answer to a request and its whole body, given the address of the connection's other end and what runs tasks on the
  /// connection's own thread.
  typealias Responder = @Sendable (HTTPRequest, ByteBuffer, String?, LoopExecutor) -> Answer

  /// Bodies of more bytes go the whole way.
  static let largestBody = 8 << 10

  private let responder: Responder
  private let peer: String?
  private let executor: LoopExecutor
  /// How many requests that were handed on have no whole reply yet.
  private var open = 0
  /// The head of a request whose end is still to come, and what has come of its body.
  private var held: HTTPRequest?
  private var body = ByteBuffer()
  private var hasWritten = false
  /// Whether a reply is still to come from here, and what came behind its request meanwhile.
  private var isAnswering = false
  private var waiting: [HTTPRequestPart] = []
  private var isReadWanted = false
  private var hasEnded = false
  private var failure: (any Error)?

  init(peer: String?, executor: LoopExecutor, responder: @escaping Responder) {
    self.peer = peer
    self.executor = executor
    self.responder = responder
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    if isAnswering { waiting.append(part) } else { take(part, context) }
  }

  private func take(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let request):
      guard open > 0 || !context.channel.isWritable || !Self.isPlain(request) else {
        return held = request
      }
      open += 1
    case .body(var more):
      if held != nil, body.readableBytes + more.readableBytes <= Self.largestBody {
        // Almost always it comes in one piece.
        if body.readableBytes == 0 { body = more } else { body.writeBuffer(&more) }
        return
      }
      release(context)
    case .end(let trailers):
      if let request = held, trailers == nil {
        switch responder(request, body, peer, executor) {
        case .handedOn: break
        case .now(let reply):
          forget()
          return write(reply, context)
        case .later(let reply):
          forget()
          return write(reply, context)
        }
      }
      release(context)
    }
    context.fireChannelRead(wrapInboundOut(part))
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    settle(context)
    context.fireChannelReadComplete()
  }

  /// What has come is looked at: of a request that is not whole nothing is kept back, and what was written goes out.
  private func settle(_ context: ChannelHandlerContext) {
    release(context)
    guard hasWritten else { return }
    hasWritten = false
    context.flush()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What came before it is answered before it.
    guard !isAnswering else { return failure = failure ?? error }
    release(context)
    context.fireErrorCaught(error)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Who sends no more may still wait for a reply; the server's tasks would end the connection.
    guard isAnswering, event as? ChannelEvent == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    hasEnded = true
  }

  func read(context: ChannelHandlerContext) {
    // Hardly anybody sends more before the reply; until somebody does it would only cost to stop listening and to begin again.
    if isAnswering, !waiting.isEmpty { isReadWanted = true } else { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { open = max(0, open - 1) }
    context.write(data, promise: promise)
  }

  /// True for a request of which all may come with its head, and after which the connection stays.
  private static func isPlain(_ request: HTTPRequest) -> Bool {
    let fields = request.headerFields
    guard fields[.transferEncoding] == nil, fields[.connection].map({ $0 == "keep-alive" }) != false else {
      return false
    }
    switch request.method {
    case .get: return fields[.contentLength] == nil
    case .post:
      return fields[.expect] == nil && fields[.contentLength].flatMap { Int($0) }.map { $0 <= largestBody } == true
    default: return false
    }
  }

  private static let empty = ByteBuffer()

  private func write(_ reply: Reply, _ context: ChannelHandlerContext) {
    context.write(wrapOutboundOut(.head(reply.head)), promise: nil)
    context.write(wrapOutboundOut(.body(reply.body)), promise: nil)
    context.write(wrapOutboundOut(.end(nil)), promise: nil)
    hasWritten = true
  }

  /// Writes a reply when it is there, and goes on with what came meanwhile.
  private func write(_ reply: EventLoopFuture<Reply>, _ context: ChannelHandlerContext) {
    isAnswering = true
    reply.assumeIsolated().whenComplete { result in
      self.isAnswering = false
      switch result {
      case .success(let reply): self.write(reply, context)
      // Nobody knows what became of the request: this connection says no more.
      case .failure: return context.close(promise: nil)
      }
      self.resume(context)
    }
  }

  private func resume(_ context: ChannelHandlerContext) {
    let hadMore = !waiting.isEmpty
    var parts = waiting[...]
    waiting = []
    while !isAnswering, let part = parts.popFirst() { take(part, context) }
    waiting = Array(parts)
    settle(context)
    if hadMore { context.fireChannelReadComplete() }
    guard !isAnswering else { return }
    if let error = failure {
      failure = nil
      context.fireErrorCaught(error)
    }
    if hasEnded {
      hasEnded = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    if isReadWanted {
      isReadWanted = false
      context.read()
    }
  }

  /// Hands on the head that was held back, and what was of its body.
  private func release(_ context: ChannelHandlerContext) {
    guard let request = held else { return }
    let came = body
    forget()
    open += 1
    context.fireChannelRead(wrapInboundOut(.head(request)))
    if came.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(came))) }
  }

  /// A body that is kept would keep all that was read from the connection with it.
  private func forget() {
    held = nil
    body = Self.empty
  }
}
