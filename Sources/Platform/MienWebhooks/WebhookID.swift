/// Identifier of a webhook: an integrator's URL and its subscribed events.
///
/// `whk_` and 22 random characters; 1 to 64 characters of `A–Z a–z 0–9 - _`.
public struct WebhookID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid identifier.
  public init?(_ text: String) {
    guard URLSafeIdentifier.holds(text) else { return nil }
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
    guard URLSafeIdentifier.holds(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// The alphabet of IDs, which need no escaping in a path, a header or a log line.
enum URLSafeIdentifier {
  static func holds(_ text: String) -> Bool {
    let bytes = text.utf8
    guard (1...64).contains(bytes.count) else { return false }
    return bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
