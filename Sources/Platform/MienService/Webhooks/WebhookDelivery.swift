internal import Crypto
public import MienCore

/// One event on its way to one webhook: a row of the outbox.
public struct WebhookDelivery: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Waits for its next attempt.
    case pending
    /// Somebody has taken it and has until ``WebhookDelivery/next`` to say what became of it.
    case sending
    case delivered
    case givenUp = "given-up"

    /// True when nothing happens to it any more.
    public var isOver: Bool { self == .delivered || self == .givenUp }
  }

  public let id: WebhookDeliveryID
  public let webhook: WebhookID
  /// The check it tells of; nil for a ping.
  public let check: CheckID?
  public let event: WebhookEvent
  public let created: UnixTime
  /// How many attempts were begun.
  public let attempts: Int
  /// When it is due, until when it is taken, or when it was over: as its state says.
  public let next: UnixTime
  public let state: State
  /// What came of the last attempt: an HTTP status or the code of a ``WebhookFailure``.
  public let answer: String?
  /// The bytes that are posted, from the first attempt until it is over.
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

  /// The message that tells a webhook of a verdict.
  ///
  /// A check has one verdict, so that the message's name needs no chance: it is the first 18 bytes of SHA-256 over
  /// a label, the webhook's id and the check's id.
  public static func telling(_ webhook: WebhookID, of check: CheckID, _ result: CheckResult) -> WebhookDelivery {
    let digest = SHA256.hash(data: Array("mien webhook message 1|\(webhook.text)|\(check.text)".utf8))
    guard let id = WebhookDeliveryID("msg_" + Base64URL.encode(Array(digest.prefix(18)))) else {
      preconditionFailure("the alphabet of base64url is the alphabet of identifiers")
    }
    return WebhookDelivery(
      id: id, webhook: webhook, check: check, event: WebhookEvent(result.outcome), created: result.decided)
  }
}

extension WebhookDelivery: CustomStringConvertible, CustomReflectable {
  public var description: String { "WebhookMessage(\(id), \(state.rawValue))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
