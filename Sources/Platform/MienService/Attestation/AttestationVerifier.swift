/// Checks what a platform says of an app and its device. It keeps nothing, and time comes in.
public protocol AttestationVerifier: Sendable {
  /// The key that an attestation object vouches for.
  ///
  /// - Parameters:
  ///   - object: the platform's attestation object.
  ///   - keyID: the key that the device names; it must be the attested one.
  ///   - clientData: what the app had attested.
  ///   - time: the server's; certificates must be valid then.
  /// - Throws: ``AttestationError`` with the first step that fails.
  func attestedKey(
    in object: [UInt8], keyID: ContentDigest, clientData: [UInt8], at time: UnixTime
  ) async throws(AttestationError) -> AttestedKey

  /// Whether keys of this environment are believed now; one that was attested earlier need not be.
  func takes(_ environment: AttestedKey.Environment) -> Bool

  /// The counter of an assertion, which must be compared with the one that is kept.
  ///
  /// - Parameters:
  ///   - object: the platform's assertion object.
  ///   - clientData: what it must have been made over.
  /// - Throws: ``AttestationError`` with the first step that fails.
  func counter(
    of object: [UInt8], over clientData: [UInt8], by key: AttestedKey
  ) throws(AttestationError) -> Int64
}
