internal import AsyncHTTPClient
public import MienCore
public import MienPlatform
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// Signs and sends requests, with retries where they may help.
///
/// Every request may be repeated: a written object carries its writer's tag, and deletion is idempotent.
final class S3Client: Sendable {
  /// Timeouts and retry limits.
  struct Limits: Sendable {
    var connecting: TimeAmount = .seconds(5)
    /// Maximum idle time while a request is in progress.
    var idle: TimeAmount = .seconds(10)
    /// Timeout of one attempt, up to the response headers.
    var whole: TimeAmount = .seconds(60)
    var tries = 5
    /// Delay before the second attempt; each further delay is twice as long.
    var firstPause = Interval.milliseconds(100)
    /// Time after which no further attempt is made.
    var timeout = Interval.seconds(20)
    /// Time after a failed request during which other requests get a single attempt, so that clients do not wait repeatedly for an
    /// unavailable store.
    var unavailablePeriod = Interval.seconds(15)
    /// Timeout, up to the response headers, of that single attempt for a request without a body.
    var doubtful = TimeAmount.seconds(3)
    /// Size of one part of a multipart upload in bytes. S3 requires at least 5 MiB and equal sizes for all but the last.
    var part = 5 << 20
    /// Maximum number of parts of a multipart upload.
    var parts = 10_000
    /// Number of bytes read per request.
    var reading = 8 << 20
    /// Number of keys per page of a listing.
    var page = 1000
  }

  let signer: S3Signer
  let surroundings: any S3ClientEnvironment
  let limits: Limits
  private let http: HTTPClient
  /// Instant until which the store is considered unavailable; `nil` if the last request was answered.
  private let unavailableUntil = Mutex<MonotonicInstant?>(nil)

  /// Creates a client.
  ///
  /// - Parameter names: Addresses of hosts that bypass DNS; for tests.
  init(
    _ signer: S3Signer, _ surroundings: any S3ClientEnvironment, limits: Limits = Limits(),
    names: [String: String] = [:]
  ) {
    self.signer = signer
    self.surroundings = surroundings
    self.limits = limits
    var trust = TLSConfiguration.makeClientConfiguration()
    trust.minimumTLSVersion = .tlsv12
    var configuration = HTTPClient.Configuration(tlsConfiguration: trust, redirectConfiguration: .disallow)
    configuration.timeout = .init(connect: limits.connecting, read: limits.idle, write: limits.idle)
    // Retries are decided in this class, where the type of the request is known.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
    configuration.httpVersion = .http1Only
    configuration.dnsOverride = names
    http = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
  }

  deinit {
    // The connections are closed after the client is released; the result does not matter.
    http.shutdown { _ in }
  }

  /// Sends a request until it succeeds or a retry is pointless.
  ///
  /// - Returns: The response with a status of 200 to 299, and whether it took more than one attempt.
  func send(_ request: S3Request) async throws(S3Error) -> (reply: S3Response, isAgain: Bool) {
    let start = surroundings.clock.now()
    // Evaluated before the first attempt, which may take longer than the period of single attempts.
    let isMarkedUnavailable = unavailableUntil.withLock { $0.map { start <= $0 } == true }
    let isShort = isMarkedUnavailable && request.body == nil
    var wait = limits.firstPause
    var tries = 1
    while true {
      do throws(S3Error) {
        let reply = try await once(request, within: isShort ? limits.doubtful : limits.whole)
        unavailableUntil.withLock { $0 = nil }
        return (reply, tries > 1)
      } catch {
        guard error.isPassing else {
          // An error response also shows that the store is available.
          if case .status = error { unavailableUntil.withLock { $0 = nil } }
          throw error
        }
        let now = surroundings.clock.now()
        let isTriedAgain = unavailableUntil.withLock { unavailableUntil in
          // A shortened attempt proves nothing: a store that is only slow gets all attempts again when the period ends.
          if isShort, case .timeout = error { return false }
          if !isMarkedUnavailable, tries < limits.tries, now < start + limits.timeout,
            unavailableUntil.map({ $0 < now }) ?? true
          {
            return true
          }
          unavailableUntil = now + limits.unavailablePeriod
          return false
        }
        guard isTriedAgain else { throw error }
      }
      tries += 1
      // Jitter between half and all of the delay, so that clients that failed together do not retry together.
      let share = 0.5 + Double(surroundings.randomBytes(1)[0]) / 512
      do { try await surroundings.pause(for: .seconds(wait.inSeconds * share)) } catch { throw .cancelled }
      wait = .seconds(min(wait.inSeconds * 2, 5))
    }
  }

  /// Sends a request once, with a short timeout.
  func reach(_ request: S3Request) async throws(S3Error) {
    _ = try await once(request, within: limits.doubtful)
    unavailableUntil.withLock { $0 = nil }
  }

  /// Sends a request once.
  ///
  /// - Parameter time: Timeout up to the response headers.
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
    // Completing a multipart upload may fail after its status was sent.
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

/// Clock, delay, and randomness that an S3 client requires.
public protocol S3ClientEnvironment: Sendable {
  /// Clock for signatures; the store rejects requests that are more than 15 minutes off.
  var clock: any ServiceClock { get }
  /// Waits for the given time; throws on cancellation.
  func pause(for time: Interval) async throws
  /// Returns unguessable bytes.
  func randomBytes(_ count: Int) -> [UInt8]
}

/// Request for a key, or for the bucket itself.
struct S3Request: Sendable {
  var method: HTTPMethod
  /// Key; `nil` for the bucket.
  var key: String?
  var query: [(name: String, value: String)] = []
  /// Headers with lowercase names; all of them are signed.
  var headers: [(name: String, value: String)] = []
  var body: ByteBuffer?
  /// SHA-256 of the body.
  var digest = ContentDigest(of: [])
  /// Maximum response size in bytes; a larger response is an error.
  var limit = 1 << 20

  init(_ method: HTTPMethod, _ key: String?, query: [(name: String, value: String)] = []) {
    self.method = method
    self.key = key
    self.query = query
  }
}

/// Complete response.
struct S3Response: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: [UInt8]
}
