internal import Crypto

/// Signs results so that anybody who has the published key can check them without asking the server: JWS (RFC 7515) in
/// its compact form with ES256 (RFC 7518).
public struct ResultSigner: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the header, so that a result is not mistaken for another token.
  public static let type = "mien-result+jws"
  private static let name = "es256"

  /// The public key's coordinates in base64url, as a JSON Web Key (RFC 7517) writes them.
  public let x: String
  public let y: String
  /// The key's id: its thumbprint (RFC 7638).
  public let keyID: String
  private let key: P256.Signing.PrivateKey

  /// Takes the signing key out of the store, or makes one and keeps it on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` when the key does not open with this seal.
  public init(
    store: some SealedSecretStore, seal: Seal, at time: UnixTime, using dice: inout some RandomNumberGenerator
  ) async throws {
    let label = SealedSecret.label(.signingKey, Self.name)
    if try await store.secret(.signingKey, Self.name) == nil {
      let sealed = seal.close(Array(Self.newKey(using: &dice).rawRepresentation), as: label, using: &dice)
      do {
        try await store.keep(SealedSecret(kind: .signingKey, name: Self.name, sealed: sealed, created: time))
      } catch let error as StoreError where error.code == .duplicate {
        // Another process made one at the same time; that one holds.
      }
    }
    guard let kept = try await store.secret(.signingKey, Self.name), let secret = seal.open(kept.sealed, as: label),
      let key = try? P256.Signing.PrivateKey(rawRepresentation: secret)
    else {
      throw StoreError(
        .unavailable,
        reason:
          "The key that results are signed with does not open with the server's seal. Restore the seal's file that "
          + "belongs to this database.")
    }
    self.key = key
    let point = Array(key.publicKey.rawRepresentation)
    x = Base64URL.encode(Array(point.prefix(32)))
    y = Base64URL.encode(Array(point.suffix(32)))
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    keyID = Base64URL.encode(Array(SHA256.hash(data: Array(members.utf8))))
  }

  /// The compact JWS over a payload.
  public func sign(_ payload: [UInt8]) -> String {
    let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"\#(Self.type)"}"#
    let input = Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(payload)
    guard let signature = try? key.signature(for: Array(input.utf8)) else {
      preconditionFailure("a valid key signs anything")
    }
    return input + "." + Base64URL.encode(Array(signature.rawRepresentation))
  }

  private static func newKey(using dice: inout some RandomNumberGenerator) -> P256.Signing.PrivateKey {
    while true {
      // Of 2³² numbers fewer than one is no key of the curve.
      let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
    }
  }

  public var description: String { "ResultSigner(\(keyID))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
