public import MienAvatars
public import MienCore

/// Two worlds of one server that share nothing but its models: each has its own database, seal and keys. Which one a
/// key or an id belongs to is written in its first characters, so that no request has to look into both.
public enum Realm: String, Hashable, Sendable, CaseIterable {
  case live
  /// For integrators' trials.
  case sandbox

  /// The space of a check by its id.
  public init(of check: CheckID) {
    let bytes = Array(check.text.utf8)
    // A UUID's version is its fifteenth character (RFC 9562): 4 is live, 8 (custom) is the sandbox's.
    let isCustomUUID = bytes.count == 36 && bytes[8] == UInt8(ascii: "-") && bytes[14] == UInt8(ascii: "8")
    self = isCustomUUID || check.text.utf8.starts(with: Self.sandbox.checkPrefix.utf8) ? .sandbox : .live
  }

  /// The space of an API key.
  public init(ofKey key: String) { self = key.utf8.starts(with: Self.sandbox.keyPrefix.utf8) ? .sandbox : .live }

  /// The space of an access key of the AWS dialect by its id.
  public init(ofAccessKey id: String) { self = id.hasPrefix(Self.sandbox.accessKeyPrefix) ? .sandbox : .live }

  /// The space of a message by its number.
  public init(of number: MessageID) {
    self = number.digits.starts(with: Self.sandboxLead) ? .sandbox : .live
  }

  /// The space of a message by its number as people type it; what is no number is the live space's to refuse.
  public init(ofMessage text: String) { self = MessageID(text: text).map { Realm(of: $0) } ?? .live }

  /// The space of a performance by its id.
  public init(ofPerformance id: CheckID) {
    self = id.text.hasPrefix(Self.sandbox.performancePrefix) ? .sandbox : .live
  }

  /// The space of a capture by its id; what is none is the live space's to refuse.
  public init(ofCapture id: String) { self = id.hasPrefix(Self.sandbox.capturePrefix) ? .sandbox : .live }

  /// A message's number of this space: of the sandbox they begin with `ZZZZ`, of the live space never.
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
  /// What API keys begin with.
  public var keyPrefix: String { self == .live ? "mien_" : "mientest_" }
  /// What the cookie of somebody who is signed in begins with.
  var sessionPrefix: String { keyPrefix + "session_" }
  /// Four characters of base 32.
  var accessKeyPrefix: String { self == .live ? "MIEN" : "MTST" }
  var uuidVersion: UInt8 { self == .live ? 4 : 8 }
}
