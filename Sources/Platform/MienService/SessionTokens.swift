internal import Foundation
internal import MienCore

/// Makes and reads the tokens that a person's page or app shows: JWTs (RFC 7519) signed with ES256, short-lived and good
/// for one check.
///
/// A token carries a secret (`jti`) whose digest is kept with the check, so that the key alone makes no token that an
/// existing check takes, and a check that is erased takes its tokens with it.
public struct SessionTokens: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the header, so that a token is not mistaken for a signed result.
  public static let type = "mien-session+jwt"

  /// What is read of a token's claims.
  private struct Claims: Decodable {
    var subject: String
    var secret: String

    enum CodingKeys: String, CodingKey {
      case subject = "sub"
      case secret = "jti"
    }
  }

  private let key: SigningKey

  /// Takes the key out of the store, or makes one and keeps it on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` when the key does not open with this seal.
  public init(
    store: some EncryptedSecretStore, keyring: MasterKeyring, at time: UnixTime,
    using generator: inout some RandomNumberGenerator
  ) async throws {
    key = try await SigningKey("es256-session", store: store, keyring: keyring, at: time, using: &generator)
  }

  /// Tokens of a key that nobody keeps: they end with this value.
  public init(using generator: inout some RandomNumberGenerator) {
    key = SigningKey(using: &generator)
  }

  /// The token of a check; `secret` is what the check keeps the digest of.
  func make(for check: CheckID, secret: String, created: UnixTime, expires: UnixTime) -> String {
    // Every request for a new check comes by here. Nothing in it has to be escaped: ids and secrets are of the letters, digits,
    // hyphens and underscores that they are made of.
    precondition(secret.utf8.allSatisfy(RandomTokens.isOfAlphabet), "a secret that was not made by this program")
    let claims =
      #"{"exp":\#(Self.seconds(expires)),"iat":\#(Self.seconds(created)),"iss":"mien","jti":"\#(secret)","sub":"\#(check.text)"}"#
    return key.sign(Array(claims.utf8), type: Self.type)
  }

  /// The secret that a check's token carries; nil when the token is forged, changed or another check's.
  ///
  /// Whether it has expired is for the check's own record to say, in the server's time.
  func secret(of token: String, for check: CheckID) -> String? {
    claim(in: token).flatMap { $0.check == check ? $0.secret : nil }
  }

  /// The check that a token says it is of, and the secret that it carries; nil when the token is forged or changed.
  func claim(in token: String) -> (check: CheckID, secret: String)? {
    guard let bytes = key.payload(of: token, type: Self.type),
      let claims = try? JSONDecoder().decode(Claims.self, from: Data(bytes)), let check = CheckID(claims.subject)
    else { return nil }
    return (check, claims.secret)
  }

  /// NumericDate (RFC 7519, section 2), rounded down.
  private static func seconds(_ time: UnixTime) -> Int64 { time.milliseconds / 1000 }

  public var description: String { "SessionTokens(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
