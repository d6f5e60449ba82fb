public import MienPlatform
internal import Foundation
package import MienCore

/// Issues and verifies the session tokens used by a subject's web page or app: JWTs (RFC 7519) signed with ES256,
/// short-lived and valid for one check.
///
/// A token contains a secret (`jti`) whose digest is stored with the check, so that the signing key alone cannot create
/// a token that an existing check accepts, and deleting a check invalidates its tokens.
public struct SessionTokens: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the JWT header, which distinguishes tokens from signed results.
  public static let type = "mien-session+jwt"

  /// The decoded claims of a token.
  private struct Claims: Decodable {
    var subject: String
    var secret: String

    enum CodingKeys: String, CodingKey {
      case subject = "sub"
      case secret = "jti"
    }
  }

  private let key: SigningKey

  /// Loads the signing key from the store, or generates and stores one on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` if the key cannot be decrypted with this keyring.
  public init(
    store: some EncryptedSecretStore, keyring: MasterKeyring, at time: UnixTime,
    using generator: inout some RandomNumberGenerator
  ) async throws {
    key = try await SigningKey("es256-session", store: store, keyring: keyring, at: time, using: &generator)
  }

  /// Creates tokens with an ephemeral key that is not stored.
  public init(using generator: inout some RandomNumberGenerator) {
    key = SigningKey(using: &generator)
  }

  /// Returns the token of a check; the check stores the digest of `secret`.
  package func make(for check: CheckID, secret: String, created: UnixTime, expires: UnixTime) -> String {
    // On the hot path of creating a check. Nothing has to be escaped: IDs and secrets consist of letters, digits,
    // hyphens and underscores.
    precondition(secret.utf8.allSatisfy(\.isIdentifierCharacter), "a secret that was not made by this program")
    let claims =
      #"{"exp":\#(Self.seconds(expires)),"iat":\#(Self.seconds(created)),"iss":"mien","jti":"\#(secret)","sub":"\#(check.text)"}"#
    return key.sign(Array(claims.utf8), type: Self.type)
  }

  /// Returns the secret in a check's token; `nil` if the token is forged, modified or for another check.
  ///
  /// Expiry is determined by the check's record, in the server's time.
  package func secret(of token: String, for check: CheckID) -> String? {
    claim(in: token).flatMap { $0.check == check ? $0.secret : nil }
  }

  /// Returns the check and the secret in a token; `nil` if the token is forged or modified.
  package func claim(in token: String) -> (check: CheckID, secret: String)? {
    guard let bytes = key.payload(of: token, type: Self.type),
      let claims = try? JSONDecoder().decode(Claims.self, from: Data(bytes)), let check = CheckID(claims.subject)
    else { return nil }
    return (check, claims.secret)
  }

  /// Converts to NumericDate (RFC 7519, section 2), rounded down.
  private static func seconds(_ time: UnixTime) -> Int64 { time.milliseconds / 1000 }

  public var description: String { "SessionTokens(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
