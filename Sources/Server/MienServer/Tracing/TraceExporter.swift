internal import AsyncHTTPClient
public import MienService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Tracing

/// Sends what is traced to an OpenTelemetry collector (OTLP over HTTP, JSON). Nothing waits for it: spans stand in a queue of bounded
/// length until they are sent, and what does not fit is dropped and counted.
public actor TraceExporter {
  /// What sending came to.
  public enum Outcome: Hashable, Sendable {
    /// Nothing waits any more, or little.
    case done
    /// The collector does not answer, or asks to be left alone; what it did not take is sent again.
    case away
    /// The collector does not take what it was sent, which was dropped.
    case refused(status: Int)
  }

  /// What is waited for, and how much there may be.
  struct Limits: Sendable {
    var connecting: TimeAmount = .seconds(3)
    /// Of one message, up to the head of the reply.
    var whole: TimeAmount = .seconds(10)
    /// How many spans wait, at most.
    var waiting = 8192
    /// How many are in one message.
    var together = 512
    /// How many messages are sent before somebody asks again.
    var messages = 64
    /// How much of a reply is read, in bytes, so that its connection can be used again.
    var reply = 64 << 10
  }

  /// Where jobs and their parts are written down to be sent.
  public nonisolated let traces: TracingContext
  private nonisolated let queue: SpanBuffer
  private let target: OTLPEndpoint
  private let program: OTLPMessage.Program
  private let limits: Limits
  private let http: HTTPClient
  /// What the collector did not take yet.
  private var held: [FinishedSpan] = []

  /// - Parameters:
  ///   - oneIn: of so many requests that nobody else traces one is sent.
  ///   - version: of this program.
  ///   - instance: a name that no other run has.
  public init(
    _ target: OTLPEndpoint, oneIn: Int, version: String, instance: String,
    generator: any RandomNumberGenerator & Sendable
  ) {
    self.init(target, oneIn: oneIn, version: version, instance: instance, generator: generator, limits: Limits())
  }

  init(
    _ target: OTLPEndpoint, oneIn: Int, version: String, instance: String,
    generator: any RandomNumberGenerator & Sendable,
    limits: Limits
  ) {
    self.target = target
    self.limits = limits
    program = OTLPMessage.Program(version: version, instance: instance)
    queue = SpanBuffer(capacity: limits.waiting)
    traces = TracingContext(OTLPTracer(queue, oneIn: oneIn, generator: generator))
    var trust = TLSConfiguration.makeClientConfiguration()
    trust.minimumTLSVersion = .tlsv12
    var configuration = HTTPClient.Configuration(tlsConfiguration: trust, redirectConfiguration: .disallow)
    configuration.timeout = .init(connect: limits.connecting, read: limits.whole, write: limits.whole)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    // What carries traces is not traced.
    configuration.tracing.tracer = nil
    http = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  deinit {
    // The connections close behind whoever has let go of the client; nothing hangs on how.
    http.shutdown { _ in }
  }

  /// What became of spans up to now.
  nonisolated var counts: SpanBuffer.Counts { queue.counts }

  /// Sends what waits, some hundreds at a time. Call it every second or so, and less often while the collector is away.
  public func send() async -> Outcome {
    for _ in 0..<limits.messages {
      if held.isEmpty { held = queue.take(atMost: limits.together) }
      guard !held.isEmpty else { return .done }
      let count = held.count
      switch await post(OTLPMessage.bytes(held, of: program)) {
      case .some(200..<300):
        held = []
        queue.sent(count)
      case nil, .some(429), .some(502), .some(503), .some(504): return .away
      case .some(let status):
        held = []
        queue.dropped(count)
        return .refused(status: status)
      }
    }
    return .done
  }

  /// The status of the reply; nil where none came.
  private func post(_ body: [UInt8]) async -> Int? {
    var message = HTTPClientRequest(url: target.url)
    message.method = .POST
    message.headers.add(name: "content-type", value: "application/json")
    message.headers.add(name: "user-agent", value: "mien")
    message.body = .bytes(body)
    do {
      let response = try await http.execute(message, deadline: .now() + limits.whole)
      var count = 0
      for try await part in response.body {
        count += part.readableBytes
        guard count < limits.reply else { break }
      }
      return Int(response.status.code)
    } catch {
      // Whatever it was: the spans wait, and whoever asked hears that nobody answers.
      _ = error
      return nil
    }
  }
}
