internal import HTTPTypes
internal import Hummingbird
internal import MienCore
internal import MienPlatform
internal import NIOCore
internal import NIOHTTPTypes

/// Responds to `GET /health/live` on the event loop of the connection, so that the response does not depend on the load
/// of other threads. The request is not subject to limits and needs no key.
///
/// Responses keep the order of their requests (RFC 9112, section 9.3.2): while an earlier request of the connection has
/// no response yet, or the client does not read its responses, the request is passed to the router, whose response is
/// the same.
final class LivenessHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Dependencies for responses and their log entries.
  struct Settings: Sendable {
    let watch: RequestObservability
    /// Headers of every response.
    let headers: HTTPFields
    let timeOfDay: @Sendable () -> UnixTime
  }

  static let path = "/health/live"
  static let body = #"{"status":"live"}"#

  private let settings: Settings
  /// Number of requests passed on whose response has not ended yet.
  private var open = 0
  /// Head of a request that this handler will respond to once it has ended.
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
    case .body: break  // requests handled here have none
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { open = max(0, open - 1) }
    context.write(data, promise: promise)
  }

  /// Returns `true` for a request to the path without a body or `Origin` that keeps its connection open.
  private static func answers(_ head: HTTPRequest) -> Bool {
    let fields = head.headerFields
    return head.method == .get && head.path == path && fields[.origin] == nil && fields[.transferEncoding] == nil
      && fields[.contentLength] == nil && fields[.connection].map { $0 == "keep-alive" } != false
  }

  private func reply(to head: HTTPRequest, _ context: ChannelHandlerContext) {
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    let began = NIODeadline.now()
    let id = RequestObservability.given(request) ?? RequestID().description
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
