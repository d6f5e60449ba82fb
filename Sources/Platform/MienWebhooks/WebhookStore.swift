public import MienPlatform

/// A delivery claimed for sending, with its target.
public struct ClaimedWebhookDelivery: Hashable, Sendable {
  public let message: WebhookDelivery
  public let endpoint: WebhookEndpoint

  public init(message: WebhookDelivery, endpoint: WebhookEndpoint) {
    self.message = message
    self.endpoint = endpoint
  }
}

/// Stores webhooks and their outbox.
///
/// ``CheckStore/decide(_:_:keeping:counting:under:)`` of the same store inserts a verdict's deliveries in the verdict's
/// own transaction, one for each enabled webhook subscribed to the event. Deleting a check deletes its deliveries.
public protocol WebhookStore: Sendable {
  /// Saves a new webhook; returns `false`, without saving it, if there are already `limit` or more.
  func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool
  /// Returns all webhooks, oldest first.
  func webhooks() async throws -> [WebhookEndpoint]
  /// Returns the webhook with this ID; `nil` if there is none.
  func webhook(_ id: WebhookID) async throws -> WebhookEndpoint?
  /// Deletes a webhook with its deliveries; returns `false` if there was none.
  func removeWebhook(_ id: WebhookID) async throws -> Bool
  /// Sets the webhook's secret and stores the old one as the previous one; returns `false` if there is no webhook.
  func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool
  /// Disables a webhook: its pending deliveries are abandoned and no new ones are created. The time of the first call
  /// is preserved.
  func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws

  /// Saves a delivery without a check. Throws ``StoreError/Code/missing`` if there is no such webhook.
  func post(_ message: WebhookDelivery) async throws
  /// Queues a completed delivery of a webhook again, with all attempts and the same ID; returns `nil` without a change if
  /// the webhook has no completed delivery of this ID.
  func resend(_ id: WebhookDeliveryID, of webhook: WebhookID, at time: UnixTime) async throws -> WebhookDelivery?
  /// Returns the newest deliveries of a webhook, newest first.
  func messages(of id: WebhookID, limit: Int) async throws -> [WebhookDelivery]
  /// Claims deliveries that are due at `now`: for each webhook without a claimed delivery the one waiting longest, and
  /// of these the ones waiting longest, at most `limit`.
  ///
  /// They count as started and become due again at `until` unless ``complete(_:after:as:at:answer:)`` is called before.
  func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [ClaimedWebhookDelivery]
  /// Saves a delivery's body unless there is one, and returns the stored body; `nil` if the delivery no longer exists.
  func save(body: [UInt8], of id: WebhookDeliveryID) async throws -> [UInt8]?
  /// Records the outcome of an attempt; returns `false`, without any change, if it is no longer in progress.
  ///
  /// - Parameters:
  ///   - attempt: the delivery's `attempts` when it was claimed.
  ///   - state: `pending` to retry at `time`; a final state deletes the body.
  func complete(
    _ id: WebhookDeliveryID, after attempt: Int, as state: WebhookDelivery.State, at time: UnixTime, answer: String
  ) async throws -> Bool
  /// Returns the number of pending and claimed deliveries.
  func waitingMessages() async throws -> Int
  /// Deletes deliveries completed before `time`; returns their number.
  func purgeMessages(overBefore time: UnixTime) async throws -> Int
}
