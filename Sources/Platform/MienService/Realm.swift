public import MienAvatars
public import MienCore

/// Two isolated realms of one server that share only its models: each has its own database, master keyring and API
/// keys. The first characters of a key or ID determine its realm, so that no request has to search both.
public enum Realm: String, Hashable, Sendable, CaseIterable {
  case live
  /// For integration tests by customers.
  case sandbox

  /// Returns the realm of a check by its ID.
  public init(of check: CheckID) {
    let bytes = Array(check.text.utf8)
    // A UUID's version is its fifteenth character (RFC 9562): 4 is live, 8 (custom) is sandbox.
    let isCustomUUID = bytes.count == 36 && bytes[8] == UInt8(ascii: "-") && bytes[14] == UInt8(ascii: "8")
    self = isCustomUUID || check.text.utf8.starts(with: Self.sandbox.checkPrefix.utf8) ? .sandbox : .live
  }

  /// Returns the realm of an API key.
  public init(ofKey key: String) { self = key.utf8.starts(with: Self.sandbox.keyPrefix.utf8) ? .sandbox : .live }

  /// Returns the realm of an access key of the AWS-compatible API by its ID.
  public init(ofAccessKey id: String) { self = id.hasPrefix(Self.sandbox.accessKeyPrefix) ? .sandbox : .live }

  /// Returns the realm of a message by its ID.
  public init(of number: MessageID) {
    self = number.digits.starts(with: Self.sandboxLead) ? .sandbox : .live
  }

  /// Returns the realm of a message by its ID as typed by a user; the live realm rejects invalid IDs.
  public init(ofMessage text: String) { self = MessageID(text: text).map { Realm(of: $0) } ?? .live }

  /// Returns the realm of a performance by its ID.
  public init(ofPerformance id: CheckID) {
    self = id.text.hasPrefix(Self.sandbox.performancePrefix) ? .sandbox : .live
  }

  /// Returns the realm of a capture by its ID; the live realm rejects invalid IDs.
  public init(ofCapture id: String) { self = id.hasPrefix(Self.sandbox.capturePrefix) ? .sandbox : .live }

  /// Returns a new message ID of this realm: sandbox IDs start with `ZZZZ`, live IDs never do.
  func newNumber(using generator: inout some RandomNumberGenerator) -> MessageID {
    guard self == .live else { return MessageID(leading: Self.sandboxLead, using: &generator) }
    while true {
      let number = MessageID(using: &generator)
      if Realm(of: number) == .live { return number }
    }
  }

  private static let sandboxLead: [UInt8] = [31, 31, 31, 31]

  var performancePrefix: String { self == .live ? "prf_" : "prftest_" }
  var capturePrefix: String { self == .live ? "cap_" : "captest_" }
  var checkPrefix: String { self == .live ? "chk_" : "chktest_" }
  /// Prefix of API keys.
  public var keyPrefix: String { self == .live ? "mien_" : "mientest_" }
  /// Prefix of session cookies.
  var sessionPrefix: String { keyPrefix + "session_" }
  /// Four base-32 characters.
  var accessKeyPrefix: String { self == .live ? "MIEN" : "MTST" }
  var uuidVersion: UInt8 { self == .live ? 4 : 8 }
}
