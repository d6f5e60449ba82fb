internal import MienCore
internal import Crypto
public import MienPlatform

/// A P-256 key that signs compact JWS (RFC 7515) with ES256 (RFC 7518); stored encrypted.
struct SigningKey: Sendable {
  /// Coordinates of the public key in base64url, as in a JSON Web Key (RFC 7517).
  let x: String
  let y: String
  /// The key ID: the key's thumbprint (RFC 7638).
  let keyID: String
  private let key: P256.Signing.PrivateKey

  /// Loads the key with this name from the store, or generates and stores one on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if the key cannot be decrypted with this keyring.
  init(
    _ name: String, store: some EncryptedSecretStore, keyring: MasterKeyring, at time: UnixTime,
    using generator: inout some RandomNumberGenerator
  ) async throws {
    let label = EncryptedSecret.label(.signingKey, name)
    if try await store.secret(.signingKey, name) == nil {
      let sealed = keyring.close(Array(Self.newKey(using: &generator).rawRepresentation), as: label, using: &generator)
      do {
        try await store.save(EncryptedSecret(kind: .signingKey, name: name, sealed: sealed, created: time))
      } catch let error as StoreError where error.code == .duplicate {
        // Another process created one concurrently, which takes precedence.
      }
    }
    guard let kept = try await store.secret(.signingKey, name), let secret = keyring.open(kept.sealed, as: label),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: secret)
    else {
      throw StoreError(
        .unavailable,
        reason:
          "A signing key of this server cannot be decrypted with the server's keyring. Restore the keyring file that belongs "
          + "to this database.")
    }
    self.init(key)
  }

  /// Creates an ephemeral key that is not stored.
  init(using generator: inout some RandomNumberGenerator) {
    self.init(Self.newKey(using: &generator))
  }

  private init(_ key: P256.Signing.PrivateKey) {
    self.key = key
    let point = Array(key.publicKey.rawRepresentation)
    x = Base64URL.encode(Array(point.prefix(32)))
    y = Base64URL.encode(Array(point.suffix(32)))
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    keyID = Base64URL.encode(Array(SHA256.hash(data: Array(members.utf8))))
  }

  /// Returns the compact JWS of a payload; `type` is part of the header, so that tokens of different kinds cannot be
  /// confused.
  func sign(_ payload: [UInt8], type: String) -> String {
    let input = header(type) + "." + Base64URL.encode(payload)
    guard let signature = try? key.signature(for: Array(input.utf8)) else {
      preconditionFailure("a valid key signs anything")
    }
    return input + "." + Base64URL.encode(Array(signature.rawRepresentation))
  }

  /// Returns the payload of a token created by ``sign(_:type:)`` with this key and type; `nil` for any other token.
  ///
  /// The header must be exactly the one that this key writes: algorithm, key and type are never taken from the token.
  func payload(of token: String, type: String) -> [UInt8]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == header(type), let signature = Base64URL.decode(parts[2]),
      let payload = Base64URL.decode(parts[1]),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
      key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
    else { return nil }
    return payload
  }

  private func header(_ type: String) -> String {
    Base64URL.encode(Array(#"{"alg":"ES256","kid":"\#(keyID)","typ":"\#(type)"}"#.utf8))
  }

  private static func newKey(using generator: inout some RandomNumberGenerator) -> P256.Signing.PrivateKey {
    while true {
      // Fewer than one in 2³² numbers is not a valid key of the curve.
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
    }
  }
}

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
