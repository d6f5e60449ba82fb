import MienTestSupport
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Server on the loopback interface with configurable behavior, which records its requests.
final class LocalTarget: Sendable {
  let port: Int
  private let channel: any Channel
  private let log: Log

  final class Log: Sendable {
    let requests = Mutex<[String]>([])
  }

  init(_ conduct: TracingTargetConformance, tls: NIOSSLContext? = nil) async throws {
    let log = Log()
    channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
          try channel.pipeline.syncOperations.addHandler(Manners(conduct, log))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    self.log = log
    port = channel.localAddress?.port ?? 0
  }

  /// Received requests as raw text.
  var requests: [String] { log.requests.withLock { $0 } }

  func close() async throws { try await channel.close() }
}

/// Reads one request to the end of its body (the tests' bodies end with `}`) and responds.
private final class Manners: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let conduct: TracingTargetConformance
  private let log: LocalTarget.Log
  private var text = ""

  init(_ conduct: TracingTargetConformance, _ log: LocalTarget.Log) {
    self.conduct = conduct
    self.log = log
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    guard text.contains("\r\n\r\n"), text.hasSuffix("}") else { return }
    log.requests.withLock { $0.append(text) }
    text = ""
    let reply: String
    switch conduct {
    case .takes: reply = "HTTP/1.1 204 No Content\r\n\r\n"
    case .refuses: reply = "HTTP/1.1 500 Oh No\r\nContent-Length: 0\r\n\r\n"
    case .redirects: reply = "HTTP/1.1 307 Elsewhere\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    case .gone: reply = "HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"
    case .wantsTime: reply = "HTTP/1.1 503 Later\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
    case .hangs: return
    case .closes: return context.close(promise: nil)
    case .talksNonsense: reply = "220 mail.example ESMTP\r\n\r\n"
    case .neverEnds:
      let part = "200\r\n" + String(repeating: "x", count: 0x200) + "\r\n"
      reply = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + part + part + part
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: reply)), promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
