internal import MienCore

/// Identifier of a webhook: an integrator's URL and its subscribed events.
///
/// `whk_` and 22 random characters; 1 to 64 characters of `A–Z a–z 0–9 - _`.
public struct WebhookID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid identifier.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// Identifier of a delivery, constant across attempts: the receiver's idempotency key.
///
/// `msg_` and 24 or more characters of `A–Z a–z 0–9 - _`: never a period, which separates the parts of the signed text.
public struct WebhookDeliveryID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid identifier.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}
