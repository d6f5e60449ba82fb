internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienService
internal import NIOCore
internal import NIOHTTPTypes

/// Answers `GET /health/live` on the event loop of the connection, where no other work of the server runs: the reply comes however busy
/// all other threads are. The request passes no limit and needs no key.
///
/// Replies keep the order of their requests (RFC 9112, 9.3.2): while an earlier request of the connection has no reply yet, or the client
/// does not read its replies, the request goes to the router, which answers it the same.
final class LivenessHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The parts that replies and their records need.
  struct Settings: Sendable {
    let watch: RequestObservabilityMiddleware
    /// The headers of every reply.
    let headers: HTTPFields
    let timeOfDay: @Sendable () -> UnixTime
  }

  static let path = "/health/live"
  static let body = #"{"status":"live"}"#

  private let settings: Settings
  /// Requests passed on whose reply has not ended yet.
  private var open = 0
  /// The head of a request that is answered here once it ended.
  private var held: HTTPRequest?

  init(_ settings: Settings) { self.settings = settings }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head) where open == 0 && context.channel.isWritable && Self.answers(head):
      held = head
      return
    case .head: open += 1
    case .end:
      if let head = held {
        held = nil
        return reply(to: head, context)
      }
    case .body: break  // a request that is answered here has none
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { open = max(0, open - 1) }
    context.write(data, promise: promise)
  }

  /// True for a request without a body and without `Origin`, whose connection stays open.
  private static func answers(_ head: HTTPRequest) -> Bool {
    let fields = head.headerFields
    return head.method == .get && head.path == path && fields[.origin] == nil && fields[.transferEncoding] == nil
      && fields[.contentLength] == nil && fields[.connection].map { $0 == "keep-alive" } != false
  }

  private func reply(to head: HTTPRequest, _ context: ChannelHandlerContext) {
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let began = NIODeadline.now()
    let id = RequestObservabilityMiddleware.given(request) ?? RequestID().description
    let time = settings.timeOfDay()
    settings.watch.note(request, route: Self.path, id: id, status: 200, since: began, ended: time)
    var fields = settings.headers
    fields[.contentType] = "application/json"
    fields[.cacheControl] = "no-store"
    fields[.contentLength] = "\(Self.body.utf8.count)"
    fields[.date] = HTTPDate.text(time)
    fields[.requestID] = id
    context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: Self.body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
