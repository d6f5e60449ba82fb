/// What checking whether a genuine app took a capture came to, where the server checks that and the signature holds.
public struct AttestationOutcome: Codable, Hashable, Sendable {
  /// What became of the capture's assertion.
  public enum Standing: String, Codable, Hashable, Sendable {
    /// None came.
    case none
    /// The attested key made it over what the device signed.
    case valid
    case invalid
    /// It names another key than the device's attested one, or the device has none.
    case foreignKey = "foreign-key"
  }

  /// Of the device's attested key; nil when it has none.
  public let environment: AttestedKey.Environment?
  public let standing: Standing
  /// The assertion's counter, where it is valid.
  public let counter: Int64?
  /// The key that made it, where it is valid.
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
