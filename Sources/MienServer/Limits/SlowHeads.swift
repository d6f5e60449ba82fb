internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Closes a connection whose next head does not come whole in time, be it that nothing comes or a letter a second; one whose
/// other end does not take what is written to it; and one whose body goes on and on after its reply was written.
///
/// It stands behind the HTTP codec: what it sees read is at least a head.
final class SlowHeads: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  /// Since when the other end has its turn; nil while it is the server's.
  private var since: NIODeadline?
  /// Since when more is written than the other end takes.
  private var blocked: NIODeadline?
  /// Whether the end of a request is still to come, and since when its reply is written nevertheless.
  private var isReading = false
  private var answered: NIODeadline?
  private var watch: Scheduled<Void>?

  init(limit: TimeAmount) { self.limit = limit }

  func handlerAdded(context: ChannelHandlerContext) {
    since = .now()
    look(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    since = nil
    switch unwrapInboundIn(data) {
    case .head: isReading = true
    case .body: break
    case .end:
      isReading = false
      answered = nil
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    since = .now()
    if case .end = unwrapOutboundIn(data), isReading { answered = .now() }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    blocked = context.channel.isWritable ? nil : .now()
    context.fireChannelWritabilityChanged()
  }

  /// One look ahead for each connection, however many requests it brings.
  private func look(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    let turn = [since, blocked, answered].compactMap { $0 }.min() ?? now
    guard now - turn < limit else { return context.close(promise: nil) }
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: turn + limit) { self.look(context) }
  }
}
