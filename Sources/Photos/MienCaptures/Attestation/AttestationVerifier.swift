public import MienCore
public import MienPlatform

/// Verifies a platform's statements about an app and its device. Stateless; the time is a parameter.
public protocol AttestationVerifier: Sendable {
  /// Returns the key that an attestation object vouches for.
  ///
  /// - Parameters:
  ///   - object: the platform's attestation object.
  ///   - keyID: the key named by the device; it must be the attested one.
  ///   - clientData: the data that the app had attested.
  ///   - time: the server's time; certificates must be valid then.
  /// - Throws: ``AttestationError`` with the first step that fails.
  func attestedKey(
    in object: [UInt8], keyID: ContentDigest, clientData: [UInt8], at time: UnixTime
  ) async throws(AttestationError) -> AttestedKey

  /// Returns `true` if keys from this environment are accepted now; a key that was attested earlier may no longer be.
  func takes(_ environment: AttestedKey.Environment) -> Bool

  /// Returns the counter of an assertion, which must be compared with the stored one.
  ///
  /// - Parameters:
  ///   - object: the platform's assertion object.
  ///   - clientData: the data that the assertion must have been made over.
  /// - Throws: ``AttestationError`` with the first step that fails.
  func counter(
    of object: [UInt8], over clientData: [UInt8], by key: AttestedKey
  ) throws(AttestationError) -> Int64
}

/// The result of verifying that a genuine app took a capture, if the server verifies that and the signature is valid.
public struct AttestationOutcome: Codable, Hashable, Sendable {
  /// The result for the capture's assertion.
  public enum Standing: String, Codable, Hashable, Sendable {
    /// There is no assertion.
    case none
    /// The attested key made the assertion over the text that the device signed.
    case valid
    case invalid
    /// The assertion names a key other than the device's attested one, or the device has none.
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

/// A device's request to attest its app's key: see `Documentation/reference/formats/DeviceAttestation.md`.
public struct AttestationSubmission: Sendable {
  /// Digest that identifies the App Attest key.
  public let keyID: ContentDigest
  /// A challenge issued by this server.
  public let challenge: String
  /// Apple's attestation object, as received.
  public let object: [UInt8]
  /// Signature of the client data by the device's own key: 64 bytes (r, s) or DER.
  public let signature: [UInt8]

  public init(keyID: ContentDigest, challenge: String, object: [UInt8], signature: [UInt8]) {
    self.keyID = keyID
    self.challenge = challenge
    self.object = object
    self.signature = signature
  }

  /// Returns the text that is attested and signed: the app vouches that this device signs captures with this key.
  public static func clientData(challenge: String, device: DeviceID, key: DeviceKey) -> String {
    "mien-attestation-1\nchallenge=\(challenge)\ndevice=\(device.text)\nkey=\(Base64URL.encode(key.bytes))\n"
  }
}

/// The attested app's assertion over the signed text, sent with a capture in addition to its signature.
public struct CaptureAssertion: Sendable {
  public let keyID: ContentDigest
  /// Apple's assertion object, as received.
  public let object: [UInt8]

  public init(keyID: ContentDigest, object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}

/// An App Attest key, for which Apple attests that a genuine app on a genuine device holds it; stored with its device.
public struct AttestedKey: Hashable, Sendable {
  /// Apple's attestation environment.
  public enum Environment: String, Hashable, Sendable, CaseIterable, Codable {
    /// An app distributed by Apple, for sale or for testing.
    case production
    /// An app installed on a device by its developer.
    case development
  }

  /// SHA-256 of the public key's point, 32 bytes.
  public let id: ContentDigest
  public let key: DeviceKey
  /// Counter of the latest assertion whose capture matched its device's signature; 0 before the first, at most 2^32 -
  /// 1.
  public let counter: Int64
  public let environment: Environment
  /// Time at which the server verified the attestation.
  public let attested: UnixTime

  public init(
    id: ContentDigest, key: DeviceKey, counter: Int64 = 0, environment: Environment, attested: UnixTime
  ) {
    self.id = id
    self.key = key
    self.counter = counter
    self.environment = environment
    self.attested = attested
  }
}
