public import MienCore
public import MienPlatform

/// The HTTP request of a delivery: `POST` with these headers and this body.
public struct WebhookRequest: Hashable, Sendable {
  public let url: String
  public let headers: [Header]
  public let body: [UInt8]

  public struct Header: Hashable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(url: String, headers: [Header], body: [UInt8]) {
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The reason why there was no response.
public enum WebhookFailure: String, Error, Hashable, Sendable, CaseIterable {
  /// The URL is not an allowed target.
  case badAddress = "bad-address"
  /// The host name cannot be resolved.
  case noSuchHost = "no-such-host"
  /// The host name resolves to an address that is not on the public internet.
  case privateAddress = "private-address"
  /// The connection was refused or unreachable.
  case noConnection = "no-connection"
  /// The target's TLS certificate is invalid.
  case badCertificate = "bad-certificate"
  /// The request timed out.
  case timeout = "timeout"
  /// The connection was interrupted, or the response was not HTTP.
  case connectionLost = "connection-lost"
  /// The webhook's secrets cannot be decrypted with the server's keyring.
  case secretUnreadable = "secret-unreadable"
}

/// The outcome of one attempt.
public enum DeliveryResult: Hashable, Sendable {
  /// An HTTP status, and the requested delay.
  case status(Int, retryAfter: WebhookRetryDelay?)
  case failed(WebhookFailure)

  /// The stored code: the status or the failure's code.
  public var code: String {
    switch self {
    case .status(let status, _): "\(status)"
    case .failed(let failure): failure.rawValue
    }
  }
}

/// The delay requested by a target (`Retry-After`, RFC 9110).
public enum WebhookRetryDelay: Hashable, Sendable {
  case interval(Interval)
  case until(UnixTime)
}

/// Sends one request to its target, once: without retries or redirects.
public protocol WebhookTransport: Sendable {
  func post(_ request: WebhookRequest) async -> DeliveryResult
}

extension ActiveSpan {
  /// Ends the span with the response of a webhook target.
  func end(answered answer: DeliveryResult) {
    switch answer {
    case .status(let status, _):
      note([.status(status)])
      end((200..<300).contains(status) ? .done : .status(status))
    case .failed(let failure): end(.failure(failure.rawValue))
    }
  }
}

/// Builds the bodies of webhook deliveries.
public protocol WebhookPayloadSource: Sendable {
  /// Returns the body of a delivery; `nil` if what it reports was deleted in the meantime.
  func body(of delivery: WebhookDelivery) async throws -> [UInt8]?
}
