internal import AsyncHTTPClient
internal import Foundation
public import MienPlatform
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization
internal import Tracing

/// Exports traces to an OpenTelemetry collector (OTLP over HTTP, JSON). Tracing never blocks: spans are held in a
/// bounded buffer until they are sent, and those that do not fit are dropped and counted.
public actor TraceExporter {
  /// Outcome of an export.
  public enum Outcome: Hashable, Sendable {
    /// Few or no spans remain in the buffer.
    case done
    /// The collector is unavailable or overloaded; the spans that it did not accept are sent again.
    case away
    /// The collector rejected the spans, which were dropped.
    case refused(status: Int)
  }

  /// Timeouts and size limits.
  struct Limits: Sendable {
    var connecting: TimeAmount = .seconds(3)
    /// Timeout for one message, up to the head of the response.
    var whole: TimeAmount = .seconds(10)
    /// Maximum number of buffered spans.
    var waiting = 8192
    /// Maximum number of spans per message.
    var together = 512
    /// Maximum number of messages per call of ``TraceExporter/send()``.
    var messages = 64
    /// Maximum number of response bytes that are read, so that the connection can be reused.
    var reply = 64 << 10
  }

  /// Tracing context whose spans this exporter sends.
  public nonisolated let traces: TracingContext
  private nonisolated let queue: SpanBuffer
  private let target: OTLPEndpoint
  private let program: OTLPMessage.Program
  private let limits: Limits
  private let http: HTTPClient
  /// Spans that the collector has not yet accepted.
  private var held: [FinishedSpan] = []

  /// - Parameters:
  ///   - target: address of the collector.
  ///   - oneIn: sampling ratio, one in so many, of requests that are not part of a client's trace.
  ///   - version: version of this program.
  ///   - instance: unique name of this process run.
  ///   - generator: source of span IDs and of the sampling.
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
    // The export itself is not traced.
    configuration.tracing.tracer = nil
    http = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  deinit {
    // Connections are closed asynchronously; errors are irrelevant.
    http.shutdown { _ in }
  }

  /// Numbers of sent and dropped spans so far.
  nonisolated var counts: SpanBuffer.Counts { queue.counts }

  /// Sends buffered spans, several hundred per message. Call it about once a second, and less often while the collector
  /// is away.
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

  /// Posts a message and returns the response status, or `nil` if there was no response.
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
      // After any error, the spans remain held and the caller treats the collector as unavailable.
      _ = error
      return nil
    }
  }
}

/// URL at which an OpenTelemetry collector accepts traces over HTTP.
public struct OTLPEndpoint: Hashable, Sendable {
  /// Syntax of `--otlp`. An invalid value is never echoed: it may contain a password.
  public static let hint = """
    --otlp takes the address of an OpenTelemetry collector that speaks OTLP over HTTP, such as http://127.0.0.1:4318, \
    without user, password and query. /v1/traces is added.
    """

  private static let path = "/v1/traces"

  let url: String

  /// Parses `http://HOST:PORT` or `https://HOST:PORT`, with or without a path; returns `nil` for other text.
  public init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let parts = URLComponents(string: text),
      let scheme = parts.scheme, ["http", "https"].contains(scheme),
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil, parts.query == nil,
      parts.fragment == nil
    else { return nil }
    let base = text.hasSuffix("/") ? String(text.dropLast()) : text
    url = base.hasSuffix(Self.path) ? base : base + Self.path
  }
}

/// Buffer of finished spans. Adding one never blocks: spans that do not fit are dropped and counted.
final class SpanBuffer: Sendable {
  /// Numbers of sent and dropped spans.
  struct Counts: Hashable, Sendable {
    var sent = 0
    var dropped = 0
  }

  private struct State {
    var waiting: [FinishedSpan] = []
    var counts = Counts()
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// - Parameter capacity: maximum number of buffered spans; each takes less than a kilobyte.
  init(capacity: Int) { self.capacity = capacity }

  var counts: Counts { state.withLock { $0.counts } }

  func add(_ span: FinishedSpan) {
    state.withLock { state in
      guard state.waiting.count < capacity else {
        state.counts.dropped += 1
        return
      }
      state.waiting.append(span)
    }
  }

  /// Removes and returns the oldest spans.
  func take(atMost count: Int) -> [FinishedSpan] {
    state.withLock { state in
      let taken = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(taken.count)
      return taken
    }
  }

  func sent(_ count: Int) { state.withLock { $0.counts.sent += count } }

  func dropped(_ count: Int) { state.withLock { $0.counts.dropped += count } }
}
