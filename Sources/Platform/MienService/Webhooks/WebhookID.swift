/// Names a webhook: an address that an integrator gave and what may be sent there.
///
/// `whk_` and 22 characters of chance; 1 to 64 characters of `A–Z a–z 0–9 - _`.
public struct WebhookID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what is no plain identifier.
  public init?(_ text: String) {
    guard URLSafeIdentifier.holds(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// Names a message, and stays the same however often it is delivered: the receiver's key against doing things twice.
///
/// `msg_` and 24 or more characters of `A–Z a–z 0–9 - _`: never a full stop, which parts what is signed.
public struct WebhookDeliveryID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what is no plain identifier.
  public init?(_ text: String) {
    guard URLSafeIdentifier.holds(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// The alphabet of ids, which stand unescaped in a path, a header or a log line.
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
