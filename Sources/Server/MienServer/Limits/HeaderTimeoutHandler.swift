internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose request does not come whole in time, be it that nothing comes or a letter a second; one whose
/// other end does not take what is written to it; and one whose body goes on and on after its reply was written.
///
/// It stands behind the HTTP codec: what it sees read is at least a head. A TLS handshake counts towards the first head.
final class HeaderTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let headLimit: TimeAmount
  private let stallLimit: TimeAmount
  private let connections: WaitingConnections
  /// Since when the other end has its turn; nil while it is the server's.
  private var since: NIODeadline?
  /// False until the first head has come.
  private var hasSent = false
  /// Since when more is written than the other end takes.
  private var blocked: NIODeadline?
  /// Whether the end of a request is still to come, and since when its reply is written nevertheless.
  private var isReading = false
  private var answered: NIODeadline?
  /// How many requests have no whole reply yet.
  private var open = 0
  private var ticket: WaitingConnections.Ticket?
  private var watch: Scheduled<Void>?

  /// - Parameters:
  ///   - head: how long the first head may take, and a body that goes on after its reply.
  ///   - stall: how long a later head may take, and a reply that is not taken.
  init(head: TimeAmount, stall: TimeAmount, connections: WaitingConnections) {
    headLimit = head
    stallLimit = stall
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) {
    since = .now()
    ticket = connections.waits(context.channel)
    look(context)
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

  /// Counts the connection among those that wait, when every request of it is answered and read to its end.
  private func wait(_ context: ChannelHandlerContext) {
    guard open == 0, !isReading, ticket == nil, context.channel.isActive else { return }
    ticket = connections.waits(context.channel)
  }

  private func leave() {
    guard let ticket else { return }
    self.ticket = nil
    connections.leaves(ticket)
  }

  /// One look ahead for each connection, however many requests it brings.
  private func look(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    let ends = [
      since.map { $0 + (hasSent ? stallLimit : headLimit) }, blocked.map { $0 + stallLimit },
      answered.map { $0 + headLimit },
    ].compactMap { $0 }
    guard ends.allSatisfy({ now < $0 }) else { return context.close(promise: nil) }
    // What begins after this look has its whole time.
    let next = min(ends.min() ?? .distantFuture, now + min(headLimit, stallLimit))
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) { self.look(context) }
  }
}
