/// Attestation object or assertion of an app, with the ID of its key.
public struct AttestationResult: Hashable, Sendable {
  /// SHA-256 of the attested key's point, 32 bytes.
  public var keyID: [UInt8]
  /// Unmodified object from the platform.
  public var object: [UInt8]

  public init(keyID: [UInt8], object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}

/// Service that attests that this is the genuine app on a genuine device: App Attest.
public protocol AppAttestor: Sendable {
  /// Returns the ID of the most recently attested key, 32 bytes, or `nil` if there is none.
  func attestedKeyID() async -> [UInt8]?
  /// Attests a new key over client data.
  func attest(_ clientData: [UInt8]) async throws -> AttestationResult
  /// Returns an assertion over a message, made with the attested key.
  func assertion(over message: [UInt8]) async throws -> AttestationResult
}
