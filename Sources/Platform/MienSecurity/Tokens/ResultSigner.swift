public import MienPlatform

/// Signs results so that anyone with the published key can verify them offline: JWS (RFC 7515) compact serialization
/// with ES256 (RFC 7518).
public struct ResultSigner: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the JWS header, which distinguishes results from other tokens.
  public static let type = "mien-result+jws"

  /// Coordinates of the public key in base64url, as in a JSON Web Key (RFC 7517).
  public var x: String { key.x }
  public var y: String { key.y }
  /// The key ID: the key's thumbprint (RFC 7638).
  public var keyID: String { key.keyID }
  private let key: SigningKey

  /// Loads the signing key from the store, or generates and stores one on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if the key cannot be decrypted with this keyring.
  public init(
    store: some EncryptedSecretStore, keyring: MasterKeyring, at time: UnixTime,
    using generator: inout some RandomNumberGenerator
  ) async throws {
    key = try await SigningKey("es256", store: store, keyring: keyring, at: time, using: &generator)
  }

  /// Returns the compact JWS of a payload.
  public func sign(_ payload: [UInt8]) -> String { key.sign(payload, type: Self.type) }

  public var description: String { "ResultSigner(\(keyID))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
