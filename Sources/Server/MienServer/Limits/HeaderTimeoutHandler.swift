internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection if its request does not arrive in time, including slow transmission byte by byte; if the client
/// does not read the response; or if the client keeps sending a body after the response was written.
///
/// The handler is placed behind the HTTP codec, so it sees complete heads. A TLS handshake counts toward the first
/// head.
final class HeaderTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let headLimit: TimeAmount
  private let stallLimit: TimeAmount
  private let connections: WaitingConnections
  /// Time since when the server has been waiting for the client; `nil` while the client waits for the server.
  private var since: NIODeadline?
  /// `false` until the first head has arrived.
  private var hasSent = false
  /// Time since when the client has not read the data written to it.
  private var blocked: NIODeadline?
  /// `true` until the end of the current request has arrived, and the time since when its response has been written
  /// regardless.
  private var isReading = false
  private var answered: NIODeadline?
  /// Number of requests without a complete response.
  private var open = 0
  private var ticket: WaitingConnections.Ticket?
  private var watch: Scheduled<Void>?

  /// - Parameters:
  ///   - head: timeout for the first head, and for a body that continues after its response.
  ///   - stall: timeout for later heads, and for a response that the client does not read.
  init(head: TimeAmount, stall: TimeAmount, connections: WaitingConnections) {
    headLimit = head
    stallLimit = stall
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    since = .now()
    ticket = connections.waits(context.channel)
    checkTimeouts(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    watch?.cancel()
    leave()
  }

  func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    since = nil
    switch unwrapInboundIn(data) {
    case .head:
      isReading = true
      hasSent = true
      open += 1
      leave()
    case .body: break
    case .end:
      isReading = false
      answered = nil
      wait(context)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    since = .now()
    if case .end = unwrapOutboundIn(data) {
      open = max(0, open - 1)
      if isReading { answered = .now() }
      wait(context)
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    blocked = context.channel.isWritable ? nil : .now()
    context.fireChannelWritabilityChanged()
  }

  /// Registers the connection as waiting once all of its requests have been read completely and answered.
  private func wait(_ context: ChannelHandlerContext) {
    guard open == 0, !isReading, ticket == nil, context.channel.isActive else { return }
    ticket = connections.waits(context.channel)
  }

  private func leave() {
    guard let ticket else { return }
    self.ticket = nil
    connections.leaves(ticket)
  }

  /// Checks the timeouts and schedules the next check: one timer per connection, however many requests it carries.
  private func checkTimeouts(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    let ends = [
      since.map { $0 + (hasSent ? stallLimit : headLimit) }, blocked.map { $0 + stallLimit },
      answered.map { $0 + headLimit },
    ].compactMap { $0 }
    guard ends.allSatisfy({ now < $0 }) else { return context.close(promise: nil) }
    // A wait that begins after this check gets its full time.
    let next = min(ends.min() ?? .distantFuture, now + min(headLimit, stallLimit))
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { self.checkTimeouts(context) }
  }
}
