internal import NIOCore

/// Closes a connection whose next head does not come whole in time, be it that nothing comes or a letter a second, and one
/// whose other end does not take what is written to it.
///
/// It stands behind the HTTP decoder: what it sees read is at least a head.
final class SlowHeads: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias OutboundIn = NIOAny

  private let limit: TimeAmount
  /// Since when the other end has its turn; nil while it is the server's.
  private var since: NIODeadline?
  private var watch: Scheduled<Void>?

  init(limit: TimeAmount) { self.limit = limit }

  func handlerAdded(context: ChannelHandlerContext) {
    since = .now()
    look(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) { watch?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    since = nil
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    since = .now()
    context.write(data, promise: promise)
  }

  /// One look ahead for each connection, however many requests it brings.
  private func look(_ context: ChannelHandlerContext) {
    let turn = since ?? .now()
    guard NIODeadline.now() - turn < limit else { return context.close(promise: nil) }
    watch = context.eventLoop.assumeIsolated().scheduleTask(deadline: turn + limit) { self.look(context) }
  }
}
