public import MienCore
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
        .badValue, "There are \(settings.maximumWebhooks) webhooks, the maximum on this server. Delete one first.")
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
    try await expectActive(id)
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

  /// Queues a completed delivery again, with the same ID, so that its receiver can recognize it.
  public func resend(_ delivery: WebhookDeliveryID, of id: WebhookID) async throws -> WebhookDelivery {
    try await expectActive(id)
    guard let queued = try await store.resend(delivery, of: id, at: clock.timeOfDay()) else {
      throw ServiceError(.notFound, "This webhook has no delivered or failed message with this id.")
    }
    return queued
  }

  private func expectActive(_ id: WebhookID) async throws {
    guard let webhook = try await store.webhook(id) else { throw Self.noSuchWebhook }
    guard webhook.disabled == nil else {
      throw ServiceError(
        .badValue, "This webhook is disabled because its target answered 410. Delete it and create a new one.")
    }
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

/// Settings for webhooks; the defaults are the documented ones.
public struct WebhookSettings: Hashable, Sendable {
  /// Delays after the first, second, … failed attempt; after the last of them a delivery is abandoned.
  public var delays: [Interval] = [
    .seconds(5), .seconds(5 * 60), .seconds(30 * 60), .seconds(2 * 3600), .seconds(5 * 3600), .seconds(10 * 3600),
    .seconds(14 * 3600), .seconds(20 * 3600), .seconds(24 * 3600),
  ]
  /// Random variation of a delay in either direction, as a fraction; 0…1.
  public var jitter = 0.2
  /// Maximum delay that a target may request with `Retry-After`.
  public var longestWait: Interval = .seconds(24 * 3600)
  /// Time for which a delivery remains claimed; longer than any attempt takes.
  public var lease: Interval = .seconds(30)
  /// Maximum number of webhooks.
  public var maximumWebhooks = 16
  /// Maximum number of concurrent attempts; one per webhook, so that an unresponsive target delays only itself.
  public var maximumAtOnce = 16
  /// Time for which the previous secret also signs after a rotation.
  public var overlap: Interval = .seconds(24 * 3600)
  /// Retention period of completed deliveries.
  public var history: Interval = .seconds(30 * 24 * 3600)
  /// Maximum number of deliveries listed per webhook.
  public var shown = 100

  public init() {}

  /// Returns the time of the next attempt after `attempt` failed at `now`; `nil` to abandon the delivery.
  ///
  /// - Parameters:
  ///   - attempt: 1 for the first.
  ///   - asked: the delay requested by the target; it can lengthen the delay, but not shorten it.
  public func retry(
    after attempt: Int, at now: UnixTime, asked: Interval?, using generator: inout some RandomNumberGenerator
  ) -> UnixTime? {
    guard delays.indices.contains(attempt - 1) else { return nil }
    let factor = Double.random(in: 1 - jitter...1 + jitter, using: &generator)
    let delay = Interval.seconds(delays[attempt - 1].inSeconds * factor)
    return now.adding(max(delay, min(asked ?? .zero, longestWait)))
  }
}
