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
