/// Signs results so that anybody who has the published key can check them without asking the server: JWS (RFC 7515) in
/// its compact form with ES256 (RFC 7518).
public struct ResultSigner: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the header, so that a result is not mistaken for another token.
  public static let type = "mien-result+jws"

  /// The public key's coordinates in base64url, as a JSON Web Key (RFC 7517) writes them.
  public var x: String { key.x }
  public var y: String { key.y }
  /// The key's id: its thumbprint (RFC 7638).
  public var keyID: String { key.keyID }
  private let key: SigningKey

  /// Takes the signing key out of the store, or makes one and keeps it on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` when the key does not open with this seal.
  public init(
    store: some EncryptedSecretStore, keyring: MasterKeyring, at time: UnixTime,
    using generator: inout some RandomNumberGenerator
  ) async throws {
    key = try await SigningKey("es256", store: store, keyring: keyring, at: time, using: &generator)
  }

  /// The compact JWS over a payload.
  public func sign(_ payload: [UInt8]) -> String { key.sign(payload, type: Self.type) }

  public var description: String { "ResultSigner(\(keyID))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
