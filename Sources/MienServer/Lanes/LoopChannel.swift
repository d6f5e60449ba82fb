internal import HTTPTypes
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
  /// A reply that can be made at once, given the request and the address of the connection's other end; nil for a request that
  /// has to go the whole way.
  typealias AtOnce = @Sendable (Request, String?) -> Response?

  private struct BrokenWhileAnswered: Error {}

  private let base: HTTP1Channel
  private let connections: AddressConnections

  init(
    configuration: HTTP1Channel.Configuration, connections: AddressConnections, atOnce: @escaping AtOnce,
    responder: @escaping HTTPChannelHandler.Responder
  ) {
    self.connections = connections
    base = HTTP1Channel(responder: Self.sorting(atOnce, responder), configuration: configuration)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      try connections.admit(channel)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return base.setup(channel: channel, logger: logger)
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopExecutor(value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }

  private static func sorting(
    _ atOnce: @escaping AtOnce, _ responder: @escaping HTTPChannelHandler.Responder
  ) -> HTTPChannelHandler.Responder {
    { request, writer, channel in
      if let reply = atOnce(request, channel.remoteAddress?.ipAddress) {
        do {
          return try await writer.write(response: reply.head, body: reply.body)
        } catch is HTTPParserError {
          // As it is, it would be answered once more.
          throw BrokenWhileAnswered()
        }
      }
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
