internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import MienCore
internal import NIOCore
internal import NIOHTTP1

/// HTTP/1.1 connections with total and per-address limits, a checked `Host` header and ``LivenessHandler``.
struct LimitedHTTPChannel: ServerChildChannel {
  private let base: HTTP1Channel
  private let addresses: PerIPConnectionLimiter
  private let connections: WaitingConnections
  private let liveness: LivenessHandler.Settings

  init(
    configuration: HTTP1Channel.Configuration, addresses: PerIPConnectionLimiter, connections: WaitingConnections,
    liveness: LivenessHandler.Settings, responder: @escaping HTTPChannelHandler.Responder
  ) {
    self.addresses = addresses
    self.connections = connections
    self.liveness = liveness
    base = HTTP1Channel(responder: responder, configuration: configuration)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    do {
      try addresses.admit(channel)
      connections.opened(channel)
      // Received bytes stay in memory until a task reads them, so each connection reads ahead only a few small buffers.
      try channel.syncOptions?.setOption(.recvAllocator, value: Self.receiveBuffers)
      try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    } catch {
      return channel.eventLoop.makeFailedFuture(error)
    }
    return base.setup(channel: channel, logger: logger).flatMapThrowing { [liveness] value in
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(HostHeader(), position: .after(decoder))
      // After the handler that closes idle connections, before the one that passes requests to tasks.
      let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
      try pipeline.addHandler(LivenessHandler(liveness), position: .after(state))
      return value
    }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    // ``EventLoopService`` accepts on an event loop, which must not process requests.
    await withTaskExecutorPreference(globalConcurrentExecutor) { await base.handle(value: value, logger: logger) }
  }

  private static let receiveBuffers = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 65_536)
}

/// Rejects HTTP/1.1 requests without exactly one valid `Host` header (RFC 9112, section 3.2) with status 400.
///
/// The handler is placed before the codec that keeps only one of several `Host` headers.
final class HostHeader: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// `true` once a request was rejected: nothing that follows on the connection is parsed as a request.
  private var hasRefused = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasRefused else { return }
    if case .head(let head) = unwrapInboundIn(data), !Self.isValid(head) {
      hasRefused = true
      // Rejected in order, after the responses to earlier requests, like input that is not HTTP; this closes the
      // connection.
      return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    }
    context.fireChannelRead(data)
  }

  static func isValid(_ head: HTTPRequestHead) -> Bool {
    let hosts = head.headers["Host"]
    guard let host = hosts.first else { return head.version != .http1_1 }
    return hosts.count == 1 && host.utf8.count <= 1024 && host.utf8.allSatisfy(isPart)
  }

  /// Returns `true` for the bytes allowed in a name or an address with a port (RFC 3986, section 3.2.2).
  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "-._~%!$&'()*+;=:[]".utf8.contains(byte)
  }
}
