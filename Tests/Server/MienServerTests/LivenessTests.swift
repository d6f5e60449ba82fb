import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import MienCore
import MienPlatform
import NIOCore
import NIOPosix
import Testing

@testable import MienServer

/// Health endpoint that responds even if all task threads are blocked.
@Suite(.serialized) struct `Health endpoint` {
  /// Blocks threads until `end()` is called.
  private final class Blockade: Sendable {
    private let entered = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let tasks: Int

    /// Starts more tasks than there are task threads; each one blocks its thread.
    init() {
      tasks = 4 * ProcessInfo.processInfo.activeProcessorCount
      for _ in 0..<tasks {
        Task.detached { self.block() }
      }
    }

    private func block() {
      entered.signal()
      gate.wait()
    }

    /// Waits until all threads are blocked except the calling one.
    func waitUntilComplete() {
      for _ in 1..<max(2, ProcessInfo.processInfo.activeProcessorCount) { entered.wait() }
    }

    func end() { for _ in 0..<tasks { gate.signal() } }
  }

  /// Reads the first bytes of a response.
  private final class FirstBytes: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let promise: EventLoopPromise<String>

    init(_ promise: EventLoopPromise<String>) { self.promise = promise }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      promise.succeed(String(buffer: unwrapInboundIn(data)))
    }

    func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
  }

  /// Sends a request on a new connection, without using a task.
  private func ask(_ port: Int, _ group: any EventLoopGroup) throws -> String {
    let loop = group.next()
    let promise = loop.makePromise(of: String.self)
    let channel = try ClientBootstrap(group: loop).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(FirstBytes(promise)) }
    }.connect(host: "127.0.0.1", port: port).wait()
    let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    try channel.writeAndFlush(ByteBuffer(string: request)).wait()
    // The connections stay open, as on a busy server.
    return try promise.futureResult.wait()
  }

  /// Opens more connections than the server accepts in advance.
  private func askWhileBlocked(_ port: Int) throws -> [String] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let blockade = Blockade()
    defer { blockade.end() }
    blockade.waitUntilComplete()
    return try (0..<40).map { _ in try ask(port, group) }
  }

  @Test(.timeLimit(.minutes(5))) func `liveness is answered while every task thread is blocked`() async throws {
    let watch = RequestObservability(
      meter: RequestCounter(), spans: RequestTracing(traces: .off, isSecure: false), log: nil)
    let headers = SecurityHeaders(isSecure: false).own
    let liveness = LivenessHandler.Settings(watch: watch, headers: headers) { UnixTime(milliseconds: 0) }
    let (ports, found) = AsyncStream.makeStream(of: Int.self)
    let application = Application(
      router: Router(context: ServerContext.self),
      server: HTTPServerBuilder { responder in
        LimitedHTTPChannel(
          configuration: .init(), addresses: PerIPConnectionLimiter(limit: 1000, proxies: TrustedProxies()),
          connections: WaitingConnections(limit: 1000), liveness: liveness, responder: responder)
      }, configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { channel in if let port = channel.localAddress?.port { found.yield(port) } },
      logger: Logger(label: "test"))
    let running = Task { try await EventLoopService(application).run() }
    var iterator = ports.makeAsyncIterator()
    let port = try #require(await iterator.next())
    let replies = try askWhileBlocked(port)
    #expect(replies.count == 40)
    for reply in replies {
      #expect(reply.hasPrefix("HTTP/1.1 200 OK"))
      #expect(reply.hasSuffix(#"{"status":"live"}"#))
    }
    running.cancel()
    _ = await running.result
  }
}
