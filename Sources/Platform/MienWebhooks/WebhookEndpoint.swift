public import MienPlatform

/// A stored webhook; its secrets are encrypted under a ``MasterKeyring``.
public struct WebhookEndpoint: Hashable, Sendable {
  public let id: WebhookID
  /// The target URL; 1 to 2048 characters.
  public let url: String
  /// Subscribed events, in the order of ``WebhookEvent``.
  public let events: [WebhookEvent]
  /// The encrypted secret for HMAC-SHA256 signatures.
  public let secret: [UInt8]
  /// The encrypted secret from before the last rotation, and the time until which it also signs.
  public let previous: Previous?
  /// The encrypted Ed25519 private key.
  public let signingKey: [UInt8]
  /// The Ed25519 public key, 32 bytes.
  public let publicKey: [UInt8]
  public let created: UnixTime
  /// Time since which the webhook is disabled, because the target responded that it no longer exists.
  public let disabled: UnixTime?

  public struct Previous: Hashable, Sendable {
    public let secret: [UInt8]
    public let until: UnixTime

    public init(secret: [UInt8], until: UnixTime) {
      self.secret = secret
      self.until = until
    }
  }

  public init(
    id: WebhookID, url: String, events: [WebhookEvent], secret: [UInt8], previous: Previous? = nil, signingKey: [UInt8],
    publicKey: [UInt8], created: UnixTime, disabled: UnixTime? = nil
  ) {
    self.id = id
    self.url = url
    self.events = events
    self.secret = secret
    self.previous = previous
    self.signingKey = signingKey
    self.publicKey = publicKey
    self.created = created
    self.disabled = disabled
  }
}

extension WebhookEndpoint: CustomStringConvertible, CustomReflectable {
  public var description: String { "WebhookEndpoint(\(id))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
