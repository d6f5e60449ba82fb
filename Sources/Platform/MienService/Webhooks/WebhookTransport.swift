public import MienCore

/// One message as it goes over the wire: `POST` with these headers and this body.
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

/// Why no answer came.
public enum WebhookFailure: String, Error, Hashable, Sendable, CaseIterable {
  /// The address is none that messages are posted to.
  case badAddress = "bad-address"
  /// The name resolves to nothing.
  case noSuchHost = "no-such-host"
  /// The name resolves to a machine that is not on the public internet.
  case privateAddress = "private-address"
  /// Nobody took the connection.
  case noConnection = "no-connection"
  /// The target could not prove who it is.
  case badCertificate = "bad-certificate"
  /// It took too long.
  case timeout = "timeout"
  /// The connection broke, or what came was not HTTP.
  case broken = "broken"
  /// The server's seal does not open the webhook's secrets.
  case sealed = "sealed"
}

/// What came of one attempt.
public enum DeliveryResult: Hashable, Sendable {
  /// An HTTP status, and how long the target wants to be left alone.
  case status(Int, retryAfter: WebhookRetryDelay?)
  case failed(WebhookFailure)

  /// The code that is kept: the status or the failure's.
  public var code: String {
    switch self {
    case .status(let status, _): "\(status)"
    case .failed(let failure): failure.rawValue
    }
  }
}

/// How long a target wants to be left alone (`Retry-After`, RFC 9110).
public enum WebhookRetryDelay: Hashable, Sendable {
  case interval(Interval)
  case until(UnixTime)
}

/// Takes one message to its target, once: no retry and no redirect.
public protocol WebhookTransport: Sendable {
  func post(_ request: WebhookRequest) async -> DeliveryResult
}
