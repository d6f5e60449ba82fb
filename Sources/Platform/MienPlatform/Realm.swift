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

  /// Returns the realm of a performance by its ID.
  public init(ofPerformance id: CheckID) {
    self = id.text.hasPrefix(Self.sandbox.performancePrefix) ? .sandbox : .live
  }

  /// Returns the realm of a capture by its ID; the live realm rejects invalid IDs.
  public init(ofCapture id: String) { self = id.hasPrefix(Self.sandbox.capturePrefix) ? .sandbox : .live }

  package var performancePrefix: String { self == .live ? "prf_" : "prftest_" }
  package var capturePrefix: String { self == .live ? "cap_" : "captest_" }
  package var checkPrefix: String { self == .live ? "chk_" : "chktest_" }
  /// Prefix of API keys.
  public var keyPrefix: String { self == .live ? "mien_" : "mientest_" }
  /// Prefix of session cookies.
  package var sessionPrefix: String { keyPrefix + "session_" }
  /// Four base-32 characters.
  package var accessKeyPrefix: String { self == .live ? "MIEN" : "MTST" }
  package var uuidVersion: UInt8 { self == .live ? 4 : 8 }
}
