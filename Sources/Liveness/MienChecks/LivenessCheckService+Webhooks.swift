internal import MienPlatform
internal import MienSecurity
public import MienWebhooks
internal import MienCore

/// The use cases of webhooks. ``WebhookDispatcher`` delivers the events.
extension LivenessCheckService {
  /// Creates a webhook.
  ///
  /// - Parameters:
  ///   - url: the target URL, validated by the caller.
  ///   - events: the subscribed events; `nil` for every verdict.
  /// - Returns: the webhook and its secret (`whsec_…`), which is stored encrypted and not shown again.
  public func addWebhook(url: String, events: [WebhookEvent]?, limits: WebhookSettings = WebhookSettings()) async throws
    -> (webhook: WebhookEndpoint, secret: String)
  {
    let keyring = try webhookSeal()
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
    guard try await store.add(webhook, atMost: limits.maximumWebhooks) else {
      throw ServiceError(
        .badValue, "There are \(limits.maximumWebhooks) webhooks, the most this server keeps. Delete one first.")
    }
    return (webhook, secret.shown)
  }

  /// Returns all webhooks, oldest first.
  public func webhooks() async throws -> [WebhookEndpoint] { try await store.webhooks() }

  /// Deletes a webhook and its pending deliveries.
  public func removeWebhook(_ id: WebhookID) async throws {
    guard try await store.removeWebhook(id) else { throw Self.noSuchWebhook }
  }

  /// Replaces a webhook's secret; the old one also signs for a day, so that the receiver can switch.
  public func rotateWebhook(_ id: WebhookID, limits: WebhookSettings = WebhookSettings()) async throws
    -> (webhook: WebhookEndpoint, secret: String)
  {
    let secret = WebhookSecrets.make(for: id, keyring: try webhookSeal(), using: &randomness)
    let until = clock.timeOfDay().adding(limits.overlap)
    guard try await store.rotate(id, to: secret.sealed, keepingOldUntil: until),
      let webhook = try await store.webhook(id)
    else { throw Self.noSuchWebhook }
    return (webhook, secret.shown)
  }

  /// Queues a delivery without content, to test the connection.
  public func pingWebhook(_ id: WebhookID) async throws -> WebhookDelivery {
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
  public func webhookMessages(of id: WebhookID, limits: WebhookSettings = WebhookSettings()) async throws
    -> [WebhookDelivery]
  {
    guard try await store.webhook(id) != nil else { throw Self.noSuchWebhook }
    return try await store.messages(of: id, limit: limits.shown)
  }

  private func webhookSeal() throws -> MasterKeyring {
    guard let keyring else {
      throw ServiceError(.unavailable, "This server has no seal to keep secrets under, so it has no webhooks.")
    }
    return keyring
  }

  private static var noSuchWebhook: ServiceError {
    ServiceError(.notFound, "There is no webhook with this id on this server.")
  }
}
