internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// HTTP/1.1 whose short requests are answered on the thread of their connection, and all others on the threads that the
/// process has for work.
///
/// What is answered here must not keep the thread: the other connections of its event loop wait meanwhile.
struct LoopChannel: ServerChildChannel {
  private let base: HTTP1Channel
  private let addresses: AddressConnections
  private let connections: WaitingConnections
  private let atOnce: RepliesAtOnce.Responder
  private let executors = LoopExecutors()

  init(
    configuration: HTTP1Channel.Configuration, addresses: AddressConnections, connections: WaitingConnections,
    atOnce: @escaping RepliesAtOnce.Responder, responder: @escaping HTTPChannelHandler.Responder
  ) {
    self.addresses = addresses
    self.connections = connections
    self.atOnce = atOnce
    base = HTTP1Channel(responder: Self.sorting(responder), configuration: configuration)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      try addresses.admit(channel)
      connections.opened(channel)
      // What came and waits for a task lies in memory: a few pieces, and small ones.
      try channel.syncOptions?.setOption(.recvAllocator, value: Self.pieces)
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return base.setup(channel: channel, logger: logger).flatMapThrowing { [atOnce, executors] value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(HostHeader(), position: .after(decoder))
      // Behind what watches over idle connections, before what hands requests to tasks.
      let watch = try pipeline.handler(type: HTTPConnectionStateHandler.self)
      let replies = RepliesAtOnce(
        peer: channel.remoteAddress?.ipAddress, executor: executors.executor(of: channel.eventLoop),
        responder: atOnce)
      try pipeline.addHandler(replies, position: .after(watch))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskExecutorPreference(executors.executor(of: value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }

  private static let pieces = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16_384)

  private static func sorting(_ responder: @escaping HTTPChannelHandler.Responder) -> HTTPChannelHandler.Responder {
    { request, writer, channel in
      guard !ShortRequests.has(request.method, request.uri.path) else {
        return try await responder(request, writer, channel)
      }
      var writer: ResponseWriter? = writer
      try await withTaskExecutorPreference(globalConcurrentExecutor) {
        guard let writer = writer.take() else { preconditionFailure("a reply is written once") }
        try await responder(request, writer, channel)
      }
    }
  }
}
