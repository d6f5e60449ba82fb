internal import AsyncHTTPClient
internal import MienCore
internal import MienService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Signs requests, sends them, and sends them again where that may help.
///
/// Everything that is asked here may be asked twice: what is written carries its writer's mark, and what is gone is gone.
final class S3Client: Sendable {
  /// How long is waited, and how often it is tried.
  struct Limits: Sendable {
    var connecting: TimeAmount = .seconds(5)
    /// Between two signs of life of a request under way.
    var idle: TimeAmount = .seconds(10)
    /// Of one try, up to the head of the reply.
    var whole: TimeAmount = .seconds(60)
    var tries = 5
    /// Before the second try; each one after waits twice as long.
    var firstPause = Interval.milliseconds(100)
    /// Nothing is tried again once so much has gone by.
    var patience = Interval.seconds(20)
    /// For so long after a request was given up the others are tried once: nobody waits again and again for a store that is
    /// away.
    var distrust = Interval.seconds(15)
    /// Of the one try of a request without a body meanwhile, up to the head of the reply.
    var doubtful = TimeAmount.seconds(3)
    /// Of one part of an upload, in bytes. S3 wants 5 MiB or more, and all but the last alike.
    var part = 5 << 20
    /// How many parts an upload may have.
    var parts = 10_000
    /// How much is read at once, in bytes.
    var reading = 8 << 20
    /// How many keys a page of a list has.
    var page = 1000
  }

  let signer: S3Signer
  let surroundings: S3ClientEnvironment
  let limits: Limits
  private let http: HTTPClient
  /// Until when the store is taken to be away; nil when it answered the last time.
  private let away = Mutex<MonotonicInstant?>(nil)

  /// - Parameter names: addresses of hosts that are not looked up; for tests.
  init(
    _ signer: S3Signer, _ surroundings: S3ClientEnvironment, limits: Limits = Limits(), names: [String: String] = [:]
  ) {
    self.signer = signer
    self.surroundings = surroundings
    self.limits = limits
    var trust = TLSConfiguration.makeClientConfiguration()
    trust.minimumTLSVersion = .tlsv12
    var configuration = HTTPClient.Configuration(tlsConfiguration: trust, redirectConfiguration: .disallow)
    configuration.timeout = .init(connect: limits.connecting, read: limits.idle, write: limits.idle)
    // What is tried again is decided here, where it is known what it was.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
    configuration.httpVersion = .http1Only
    configuration.dnsOverride = names
    http = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  deinit {
    // The connections close behind whoever has let go of the client; nothing hangs on how.
    http.shutdown { _ in }
  }

  /// Sends a request until it is done, or trying again is of no use.
  ///
  /// - Returns: a reply with a status of 200 to 299, and whether it took more than one try.
  func send(_ request: S3Request) async throws(S3Error) -> (reply: S3Response, isAgain: Bool) {
    let start = surroundings.clock.now()
    // Looked at before the first try: a try may take longer than the distrust lasts.
    let isDistrusted = away.withLock { $0.map { start <= $0 } == true }
    let isShort = isDistrusted && request.body == nil
    var wait = limits.firstPause
    var tries = 1
    while true {
      do throws(S3Error) {
        let reply = try await once(request, within: isShort ? limits.doubtful : limits.whole)
        away.withLock { $0 = nil }
        return (reply, tries > 1)
      } catch {
        guard error.isPassing else {
          // No is an answer, too.
          if case .status = error { away.withLock { $0 = nil } }
          throw error
        }
        let now = surroundings.clock.now()
        let isTriedAgain = away.withLock { away in
          // What was cut short shows nothing: a store that is only slow is trusted again when the time is over.
          if isShort, case .timeout = error { return false }
          if !isDistrusted, tries < limits.tries, now < start + limits.patience, away.map({ $0 < now }) ?? true {
            return true
          }
          away = now + limits.distrust
          return false
        }
        guard isTriedAgain else { throw error }
      }
      tries += 1
      // Between half and the whole of it, so that those who failed together do not come back together.
      let share = 0.5 + Double(surroundings.noise(1)[0]) / 512
      do { try await surroundings.pause(.seconds(wait.inSeconds * share)) } catch { throw .cancelled }
      wait = .seconds(min(wait.inSeconds * 2, 5))
    }
  }

  /// Sends a request once, and does not wait long.
  func reach(_ request: S3Request) async throws(S3Error) {
    _ = try await once(request, within: limits.doubtful)
    away.withLock { $0 = nil }
  }

  /// - Parameter time: up to the head of the reply.
  private func once(_ request: S3Request, within time: TimeAmount) async throws(S3Error) -> S3Response {
    var message = HTTPClientRequest(url: signer.url(request))
    message.method = request.method
    for header in signer.headers(request, at: surroundings.clock.timeOfDay()) {
      message.headers.add(name: header.name, value: header.value)
    }
    if let body = request.body { message.body = .bytes(body) }
    let reply: S3Response
    do {
      let response = try await http.execute(message, deadline: .now() + time)
      var body: [UInt8] = []
      if request.method != .HEAD {
        for try await piece in response.body {
          guard body.count + piece.readableBytes <= request.limit else { throw S3Error.broken }
          body += piece.readableBytesView
        }
        if let said = response.headers.first(name: "content-length"), said != "\(body.count)" { throw S3Error.broken }
      }
      reply = S3Response(status: Int(response.status.code), headers: response.headers, body: body)
    } catch {
      throw Self.fault(error)
    }
    guard (200...299).contains(reply.status) else { throw .status(reply.status, S3Error.word(reply.body)) }
    // Completing an upload may fail after its status has gone out.
    if request.method == .POST, let word = S3Error.word(reply.body) {
      throw .status(word == "InternalError" ? 500 : 503, word)
    }
    return reply
  }

  private static func fault(_ error: any Error) -> S3Error {
    switch error {
    case let fault as S3Error: fault
    case is CancellationError: .cancelled
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: .noTrust
    case is NIOConnectionError, is IOError: .noConnection
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout: .noConnection
      case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: .timeout
      case .tlsHandshakeTimeout: .noTrust
      case .cancelled: .cancelled
      default: .broken
      }
    default: .broken
    }
  }
}
