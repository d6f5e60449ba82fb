/// A message that was taken to be sent, and where to.
public struct ClaimedWebhookDelivery: Hashable, Sendable {
  public let message: WebhookDelivery
  public let endpoint: WebhookEndpoint

  public init(message: WebhookDelivery, endpoint: WebhookEndpoint) {
    self.message = message
    self.endpoint = endpoint
  }
}

/// Keeps webhooks and their outbox.
///
/// ``CheckStore/decide(_:_:keeping:)`` of the same store writes a verdict's messages in the verdict's own transaction,
/// one for each webhook that is not disabled and takes the event. Erasing a check erases its messages.
public protocol WebhookStore: Sendable {
  /// Keeps a new webhook; false, and nothing is kept, when there are `limit` or more already.
  func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool
  /// All webhooks, oldest first.
  func webhooks() async throws -> [WebhookEndpoint]
  /// The webhook of this id; nil when there is none.
  func webhook(_ id: WebhookID) async throws -> WebhookEndpoint?
  /// Forgets a webhook with its messages; false when there was none.
  func removeWebhook(_ id: WebhookID) async throws -> Bool
  /// Makes `secret` the webhook's secret and keeps the one before as the previous one; false when there is no webhook.
  func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool
  /// Ends a webhook: its waiting messages are given up and no new ones are made. The first time stays.
  func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws

  /// Keeps a message of no check. Throws ``StoreError/Code/missing`` when there is no such webhook.
  func post(_ message: WebhookDelivery) async throws
  /// The newest messages of a webhook, newest first.
  func messages(of id: WebhookID, limit: Int) async throws -> [WebhookDelivery]
  /// Takes messages that are due at `now`: of each webhook that has none taken the longest waiting, and of
  /// these the longest waiting, `limit` at most.
  ///
  /// They count as begun and come due again at `until` unless ``settle(_:after:as:at:answer:)`` is called before.
  func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [ClaimedWebhookDelivery]
  /// Keeps a message's body unless one is kept already, and returns the one that holds; nil when the message is gone.
  func save(body: [UInt8], of id: WebhookDeliveryID) async throws -> [UInt8]?
  /// Writes down what became of an attempt; false, and nothing is written, when it is not under way any more.
  ///
  /// - Parameters:
  ///   - attempt: the message's `attempts` when it was taken.
  ///   - state: `pending` to try again at `time`; what is over forgets its body.
  func complete(
    _ id: WebhookDeliveryID, after attempt: Int, as state: WebhookDelivery.State, at time: UnixTime, answer: String
  ) async throws -> Bool
  /// How many messages wait or are being sent.
  func waitingMessages() async throws -> Int
  /// Forgets messages that were over before `time`; returns how many.
  func purgeMessages(overBefore time: UnixTime) async throws -> Int
}
