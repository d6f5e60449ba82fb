internal import AsyncHTTPClient
internal import MienCore
internal import MienPlatform
public import MienWebhooks
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Posts messages over HTTPS to public addresses only, unless private ones are explicitly allowed.
///
/// The host name is resolved here, every address is validated, and the connection is made to a validated address, so
/// that DNS rebinding has no effect. Redirects are not followed.
public struct HTTPWebhookTransport: WebhookTransport {
  /// Limits of one attempt.
  struct Limits {
    var connecting: TimeAmount = .seconds(5)
    /// Timeout from the name lookup to the head of the response.
    var whole: TimeAmount = .seconds(15)
    /// Maximum number of response bytes that are read; the body is discarded.
    var body = 1024
    /// Maximum number of addresses that are tried per host.
    var addresses = 3
  }

  let allowsPrivate: Bool
  var limits = Limits()
  var resolver: any DNSResolver
  /// TLS settings for verifying certificates; `nil` uses the system's trust store.
  var tls: TLSConfiguration?

  /// - Parameter allowsPrivate: `true` to allow plain HTTP and private networks.
  public init(allowsPrivate: Bool) {
    self.allowsPrivate = allowsPrivate
    resolver = SystemResolver(limit: Limits().connecting, loop: MultiThreadedEventLoopGroup.singleton.any())
  }

  /// Rejects a URL to which messages can never be delivered, so that the integrator gets an error immediately.
  ///
  /// - Throws: `ServiceError` with `badValue`.
  public func admit(_ url: String) async throws {
    let target: WebhookURL
    do {
      target = try WebhookURL(url, allowsPrivate: allowsPrivate)
    } catch {
      throw ServiceError(.badValue, error.reason)
    }
    switch await addresses(of: target) {
    case .success: return
    case .failure(.privateAddress):
      throw ServiceError(
        .badValue,
        "\"url\" leads to a machine that is not on the public internet. Start the server with --allow-private-webhooks "
          + "to allow it.")
    case .failure:
      throw ServiceError(.badValue, "The host of \"url\" has no address. Check its name.")
    }
  }

  public func post(_ request: WebhookRequest) async -> DeliveryResult {
    let deadline = NIODeadline.now() + limits.whole
    guard let target = try? WebhookURL(request.url, allowsPrivate: allowsPrivate) else {
      return .failed(.badAddress)
    }
    switch await addresses(of: target) {
    case .failure(let failure): return .failed(failure)
    case .success(let addresses):
      // If the lookup used up the time, no address is tried.
      var answer = DeliveryResult.failed(.timeout)
      for address in addresses.prefix(limits.addresses) where NIODeadline.now() < deadline {
        answer = await post(request, to: target, at: address, until: deadline)
        guard answer == .failed(.noConnection) else { return answer }
      }
      return answer
    }
  }

  /// Returns the addresses of a target if all of them are permitted.
  private func addresses(of target: WebhookURL) async -> Result<[InternetAddress], WebhookFailure> {
    let found = await resolver.addresses(of: target.host)
    guard !found.isEmpty else { return .failure(.noSuchHost) }
    guard allowsPrivate || found.allSatisfy(\.isPublic) else { return .failure(.privateAddress) }
    return .success(found)
  }

  private func post(
    _ request: WebhookRequest, to target: WebhookURL, at address: InternetAddress, until deadline: NIODeadline
  ) async -> DeliveryResult {
    let client = HTTPClient(
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration(target, address))
    var message = HTTPClientRequest(url: request.url)
    message.method = .POST
    for header in request.headers { message.headers.add(name: header.name, value: header.value) }
    message.headers.add(name: "connection", value: "close")
    message.body = .bytes(request.body)
    let answer: DeliveryResult
    do {
      let response = try await client.execute(message, deadline: deadline)
      await drain(response.body, until: deadline)
      answer = .status(
        Int(response.status.code), retryAfter: response.headers.first(name: "retry-after").flatMap(RetryAfter.read))
    } catch {
      answer = .failed(Self.failure(error))
    }
    do {
      try await client.shutdown()
    } catch {
      // The connection is closed in any case; the error is irrelevant.
      _ = error
    }
    return answer
  }

  private func configuration(_ target: WebhookURL, _ address: InternetAddress) -> HTTPClient.Configuration {
    var trust = tls ?? .makeClientConfiguration()
    trust.minimumTLSVersion = .tlsv12
    var configuration = HTTPClient.Configuration(tlsConfiguration: trust, redirectConfiguration: .disallow)
    configuration.dnsOverride = [target.host: address.description]
    configuration.timeout = .init(connect: limits.connecting, read: limits.connecting + limits.connecting)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    // Defense in depth: no byte is sent to an address other than the validated one, even if the client parses the URL
    // differently.
    configuration.http1_1ConnectionDebugInitializer = { channel in
      channel.remoteAddress?.ipAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        == (try? SocketAddress(ipAddress: address.description, port: 0))
        ? channel.eventLoop.makeSucceededVoidFuture() : channel.eventLoop.makeFailedFuture(AnotherMachine())
    }
    return configuration
  }

  /// Reads a small part of the response body, so that the receiver's connection is not reset while it is still sending.
  private func drain(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) async {
    var count = 0
    do {
      for try await part in body {
        count += part.readableBytes
        if count >= limits.body || NIODeadline.now() >= deadline { return }
      }
    } catch {
      // Only the status is needed, and it has been received.
      _ = error
    }
  }

  private static func failure(_ error: any Error) -> WebhookFailure {
    switch error {
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: return .badCertificate
    case is NIOConnectionError, is IOError, is AnotherMachine: return .noConnection
    case let error as HTTPClientError:
      switch error {
      case .connectTimeout: return .noConnection
      case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: return .timeout
      case .tlsHandshakeTimeout: return .badCertificate
      default: return .connectionLost
      }
    default: return .connectionLost
    }
  }

  private struct AnotherMachine: Error {}
}

/// Parser for the `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date in the preferred format.
enum RetryAfter {
  /// Returns `nil` for other formats.
  static func read(_ text: String) -> WebhookRetryDelay? {
    guard text.utf8.count <= 32 else { return nil }
    if let seconds = UInt32(text) { return .interval(.seconds(Double(seconds))) }
    return date(text).map { .until($0) }
  }

  /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`; the weekday is ignored.
  private static func date(_ text: String) -> UnixTime? {
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
      let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]), (1970...9999).contains(year),
      let date = GregorianDate(year: year, month: month + 1, day: day)
    else { return nil }
    let clock = parts[4].split(separator: ":", omittingEmptySubsequences: false).compactMap { Int($0) }
    guard clock.count == 3, (0..<24).contains(clock[0]),
      (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    let seconds = ((date.daysSince1970 * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
    return UnixTime(milliseconds: Int64(seconds) * 1000)
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}
