internal import Crypto
public import MienCore
public import MienPlatform

/// The delivery of one event to one webhook: a row of the outbox.
public struct WebhookDelivery: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Waiting for the next attempt.
    case pending
    /// Claimed by a dispatcher, which has until ``WebhookDelivery/next`` to report the outcome.
    case sending
    case delivered
    case failed

    /// `true` if the delivery has ended.
    public var isOver: Bool { self == .delivered || self == .failed }
  }

  public let id: WebhookDeliveryID
  public let webhook: WebhookID
  /// The check of the event; `nil` for a ping.
  public let check: CheckID?
  public let event: WebhookEvent
  public let created: UnixTime
  /// Number of attempts started.
  public let attempts: Int
  /// Due time, end of the claim, or completion time, depending on the state.
  public let next: UnixTime
  public let state: State
  /// Result of the last attempt: an HTTP status or the code of a ``WebhookFailure``.
  public let answer: String?
  /// The posted bytes, from the first attempt until completion.
  public let body: [UInt8]?

  public init(
    id: WebhookDeliveryID, webhook: WebhookID, check: CheckID?, event: WebhookEvent, created: UnixTime,
    attempts: Int = 0, next: UnixTime? = nil, state: State = .pending, answer: String? = nil, body: [UInt8]? = nil
  ) {
    self.id = id
    self.webhook = webhook
    self.check = check
    self.event = event
    self.created = created
    self.attempts = attempts
    self.next = next ?? created
    self.state = state
    self.answer = answer
    self.body = body
  }

  /// Returns the delivery of a check's verdict to a webhook.
  ///
  /// A check has one verdict, so the delivery ID is deterministic: the first 18 bytes of SHA-256 over a label, the
  /// webhook's ID and the check's ID.
  public static func telling(
    _ webhook: WebhookID, of check: CheckID, _ event: WebhookEvent, decided: UnixTime
  ) -> WebhookDelivery {
    let digest = SHA256.hash(data: Array("mien webhook message 1|\(webhook.text)|\(check.text)".utf8))
    guard let id = WebhookDeliveryID("msg_" + Base64URL.encode(Array(digest.prefix(18)))) else {
      preconditionFailure("the alphabet of base64url is the alphabet of identifiers")
    }
    return WebhookDelivery(
      id: id, webhook: webhook, check: check, event: event, created: decided)
  }
}

extension WebhookDelivery: CustomStringConvertible, CustomReflectable {
  public var description: String { "WebhookDelivery(\(id), \(state.rawValue))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An event that is delivered to webhooks.
public enum WebhookEvent: String, Hashable, Sendable, CaseIterable {
  case checkPassed = "check.passed"
  case checkFailed = "check.failed"
  case checkTimedOut = "check.timed-out"
  /// Sent at an integrator's request to test the connection.
  case ping = "webhook.ping"

  /// Events to which an integrator can subscribe; a ping is only sent on request.
  public static let subscribable: [WebhookEvent] = [.checkPassed, .checkFailed, .checkTimedOut]
}
