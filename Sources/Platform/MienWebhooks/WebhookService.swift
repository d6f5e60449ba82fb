internal import MienCore
public import MienPlatform
public import MienSecurity

/// Creates, changes and deletes the webhooks of a realm. ``WebhookDispatcher`` delivers the events.
public actor WebhookService {
  private nonisolated let store: any WebhookStore
  private nonisolated let keyring: MasterKeyring
  private nonisolated let clock: any ServiceClock
  private nonisolated let settings: WebhookSettings
  private var randomness: any RandomNumberGenerator & Sendable

  public init(
    store: any WebhookStore, keyring: MasterKeyring, clock: any ServiceClock,
    settings: WebhookSettings = WebhookSettings(), generator: any RandomNumberGenerator & Sendable
  ) {
    self.store = store
    self.keyring = keyring
    self.clock = clock
    self.settings = settings
    randomness = generator
  }

  /// Creates a webhook.
  ///
  /// - Parameters:
  ///   - url: the target URL, validated by the caller.
  ///   - events: the subscribed events; `nil` for every verdict.
  /// - Returns: the webhook and its secret (`whsec_…`), which is stored encrypted and not shown again.
  public func add(url: String, events: [WebhookEvent]?) async throws
    -> (webhook: WebhookEndpoint, secret: String)
  {
    let wanted = Set(events ?? WebhookEvent.subscribable)
    guard !wanted.isEmpty, wanted.isSubset(of: WebhookEvent.subscribable) else {
      throw ServiceError(
        .badValue,
        "\"events\" must be some of \(WebhookEvent.subscribable.map(\.rawValue).joined(separator: ", ")), or left out.")
    }
    guard let id = WebhookID(RandomTokens.make(prefix: "whk_", count: 22, using: &randomness)) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let secret = WebhookSecrets.make(for: id, keyring: keyring, using: &randomness)
    let key = WebhookSecrets.makeKey(for: id, keyring: keyring, using: &randomness)
    let webhook = WebhookEndpoint(
      id: id, url: url, events: WebhookEvent.subscribable.filter(wanted.contains), secret: secret.sealed,
      signingKey: key.sealed, publicKey: key.publicKey, created: clock.timeOfDay())
    guard try await store.add(webhook, atMost: settings.maximumWebhooks) else {
      throw ServiceError(
        .badValue, "There are \(settings.maximumWebhooks) webhooks, the most this server keeps. Delete one first.")
    }
    return (webhook, secret.shown)
  }

  /// Returns all webhooks, oldest first.
  public func list() async throws -> [WebhookEndpoint] { try await store.webhooks() }

  /// Deletes a webhook and its pending deliveries.
  public func remove(_ id: WebhookID) async throws {
    guard try await store.removeWebhook(id) else { throw Self.noSuchWebhook }
  }

  /// Replaces a webhook's secret; the old one also signs for a day, so that the receiver can switch.
  public func rotateSecret(of id: WebhookID) async throws
    -> (webhook: WebhookEndpoint, secret: String)
  {
    let secret = WebhookSecrets.make(for: id, keyring: keyring, using: &randomness)
    let until = clock.timeOfDay().adding(settings.overlap)
    guard try await store.rotate(id, to: secret.sealed, keepingOldUntil: until),
      let webhook = try await store.webhook(id)
    else { throw Self.noSuchWebhook }
    return (webhook, secret.shown)
  }

  /// Queues a delivery without content, to test the connection.
  public func ping(_ id: WebhookID) async throws -> WebhookDelivery {
    guard let webhook = try await store.webhook(id) else { throw Self.noSuchWebhook }
    guard webhook.disabled == nil else {
      throw ServiceError(
        .badValue, "This webhook is disabled because its target answered 410. Delete it and make a new one.")
    }
    guard let name = WebhookDeliveryID(RandomTokens.make(prefix: "msg_", count: 24, using: &randomness)) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let message = WebhookDelivery(id: name, webhook: id, check: nil, event: .ping, created: clock.timeOfDay())
    do {
      try await store.post(message)
    } catch let error as StoreError where error.code == .missing {
      throw Self.noSuchWebhook  // removed in the meantime
    }
    return message
  }

  /// Returns the newest deliveries of a webhook, newest first.
  public func deliveries(of id: WebhookID) async throws
    -> [WebhookDelivery]
  {
    guard try await store.webhook(id) != nil else { throw Self.noSuchWebhook }
    return try await store.messages(of: id, limit: settings.shown)
  }

  /// Returns the number of deliveries that have not ended.
  public nonisolated func waitingDeliveries() async throws -> Int { try await store.waitingMessages() }

  private static var noSuchWebhook: ServiceError {
    ServiceError(.notFound, "There is no webhook with this id on this server.")
  }
}
