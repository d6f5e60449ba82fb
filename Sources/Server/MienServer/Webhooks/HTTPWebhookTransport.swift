internal import AsyncHTTPClient
public import MienService
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Posts messages over HTTPS to machines on the public internet, and nowhere else unless it is told to.
///
/// The host's name is resolved here, every address is looked at, and the connection goes to the very address that was
/// looked at: a name that answers differently a moment later gains nothing. Redirects are not followed.
public struct HTTPWebhookTransport: WebhookTransport {
  /// Limits of one attempt.
  struct Limits {
    var connecting: TimeAmount = .seconds(5)
    /// From the look-up of the name to the head of the reply.
    var whole: TimeAmount = .seconds(15)
    /// How much of a reply's body is read, in bytes; a receiver sees its words taken, and no more than that.
    var body = 1024
    /// How many of a host's addresses are tried.
    var addresses = 3
  }

  let allowsPrivate: Bool
  var limits = Limits()
  var resolver: any DNSResolver
  /// What a target's certificate is held against; nil: what the system trusts.
  var tls: TLSConfiguration?

  /// - Parameter allowsPrivate: true also posts over plain HTTP and to machines on private networks.
  public init(allowsPrivate: Bool) {
    self.allowsPrivate = allowsPrivate
    resolver = SystemResolver(limit: Limits().connecting, loop: MultiThreadedEventLoopGroup.singleton.any())
  }

  /// Refuses what messages will never be posted to, so that an integrator hears of it at once.
  ///
  /// - Throws: ``ServiceError`` with ``ServiceError/Code/badValue``.
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
      // Of a host whose name took all the time to look up none is tried.
      var answer = DeliveryResult.failed(.timeout)
      for address in addresses.prefix(limits.addresses) where NIODeadline.now() < deadline {
        answer = await post(request, to: target, at: address, until: deadline)
        guard answer == .failed(.noConnection) else { return answer }
      }
      return answer
    }
  }

  /// The addresses of a target: all of them fit to post to, or none.
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
      await swallow(response.body, until: deadline)
      answer = .status(
        Int(response.status.code), retryAfter: response.headers.first(name: "retry-after").flatMap(RetryAfter.read))
    } catch {
      answer = .failed(Self.failure(error))
    }
    do {
      try await client.shutdown()
    } catch {
      // The connection is closed all the same; nothing hangs on how.
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
    // Should the client ever take a name apart differently: no byte is sent but to the address that was looked at.
    configuration.http1_1ConnectionDebugInitializer = { channel in
      channel.remoteAddress?.ipAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        == (try? SocketAddress(ipAddress: address.description, port: 0))
        ? channel.eventLoop.makeSucceededVoidFuture() : channel.eventLoop.makeFailedFuture(AnotherMachine())
    }
    return configuration
  }

  /// Reads a little of a reply, so that its sender is not cut off in the middle of a word.
  private func swallow(_ body: HTTPClientResponse.Body, until deadline: NIODeadline) async {
    var count = 0
    do {
      for try await part in body {
        count += part.readableBytes
        if count >= limits.body || NIODeadline.now() >= deadline { return }
      }
    } catch {
      // The status has come, and it is all that is asked for.
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
      default: return .broken
      }
    default: return .broken
    }
  }

  private struct AnotherMachine: Error {}
}
