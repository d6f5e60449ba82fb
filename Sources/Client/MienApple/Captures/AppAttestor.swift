/// A platform's word on an app, with the name of the key that it is about.
public struct AttestationResult: Hashable, Sendable {
  /// SHA-256 of the attested key's point, 32 bytes.
  public var keyID: [UInt8]
  /// The platform's object as it is.
  public var object: [UInt8]

  public init(keyID: [UInt8], object: [UInt8]) {
    self.keyID = keyID
    self.object = object
  }
}

/// What has the platform say that this is the genuine app on a genuine device: App Attest.
public protocol AppAttestor: Sendable {
  /// The name of the key that was attested last, 32 bytes; nil before.
  func attestedKeyID() async -> [UInt8]?
  /// Has a new key attested over client data.
  func attest(_ clientData: [UInt8]) async throws -> AttestationResult
  /// The attested key's word on a message.
  func assertion(over message: [UInt8]) async throws -> AttestationResult
}
