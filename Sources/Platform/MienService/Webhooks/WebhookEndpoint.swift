/// A webhook as it is kept; its secrets are closed under a ``MasterKeyring``.
public struct WebhookEndpoint: Hashable, Sendable {
  public let id: WebhookID
  /// Where messages are posted; 1 to 2048 characters.
  public let url: String
  /// Which events are sent there, in the order of ``WebhookEvent``.
  public let events: [WebhookEvent]
  /// The secret that signs with HMAC-SHA256, sealed.
  public let secret: [UInt8]
  /// The secret before the last rotation, sealed, and until when it still signs too.
  public let previous: Previous?
  /// The Ed25519 private key, sealed.
  public let signingKey: [UInt8]
  /// The Ed25519 public key, 32 bytes.
  public let publicKey: [UInt8]
  public let created: UnixTime
  /// Since when nothing is sent there any more, because the target said that it is gone.
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
