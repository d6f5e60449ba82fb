public import MienPlatform

/// The result of verifying that a genuine app took a capture, if the server verifies that and the signature is valid.
public struct AttestationOutcome: Codable, Hashable, Sendable {
  /// The result for the capture's assertion.
  public enum Standing: String, Codable, Hashable, Sendable {
    /// There is no assertion.
    case none
    /// The attested key made it over the text that the device signed.
    case valid
    case invalid
    /// It names a key other than the device's attested one, or the device has none.
    case foreignKey = "foreign-key"
  }

  /// Environment of the device's attested key; `nil` if it has none.
  public let environment: AttestedKey.Environment?
  public let standing: Standing
  /// Counter of the assertion, if it is valid.
  public let counter: Int64?
  /// Key that made the assertion, if it is valid.
  public let keyID: ContentDigest?

  public init(
    environment: AttestedKey.Environment?, standing: Standing, counter: Int64? = nil, keyID: ContentDigest? = nil
  ) {
    self.environment = environment
    self.standing = standing
    self.counter = counter
    self.keyID = keyID
  }
}
