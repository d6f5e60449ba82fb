internal import Foundation
internal import MienModel

/// Makes and reads the tokens that a person's page or app shows: JWTs (RFC 7519) signed with ES256, short-lived and good
/// for one check.
///
/// A token carries a secret (`jti`) whose digest is kept with the check, so that the key alone makes no token that an
/// existing check takes, and a check that is erased takes its tokens with it.
public struct SessionTokens: Sendable, CustomStringConvertible, CustomReflectable {
  /// The media type in the header, so that a token is not mistaken for a signed result.
  public static let type = "mien-session+jwt"

  private struct Claims: Codable {
    var issuer = "mien"
    var subject: String
    var issued: Int64
    var expires: Int64
    var secret: String

    enum CodingKeys: String, CodingKey {
      case issuer = "iss"
      case subject = "sub"
      case issued = "iat"
      case expires = "exp"
      case secret = "jti"
    }
  }

  private let key: SigningKey

  /// Takes the key out of the store, or makes one and keeps it on the first start.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable`` when the key does not open with this seal.
  public init(
    store: some SealedSecretStore, seal: Seal, at time: UnixTime, using dice: inout some RandomNumberGenerator
  ) async throws {
    key = try await SigningKey("es256-session", store: store, seal: seal, at: time, using: &dice)
  }

  /// Tokens of a key that nobody keeps: they end with this value.
  public init(using dice: inout some RandomNumberGenerator) {
    key = SigningKey(using: &dice)
  }

  /// The token of a check; `secret` is what the check keeps the digest of.
  func make(for check: SessionID, secret: String, created: UnixTime, expires: UnixTime) -> String {
    let claims = Claims(
      subject: check.text, issued: Self.seconds(created), expires: Self.seconds(expires), secret: secret)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(claims) else { preconditionFailure("claims are texts and whole numbers") }
    return key.sign(Array(bytes), type: Self.type)
  }

  /// The secret that a check's token carries; nil when the token is forged, changed or another check's.
  ///
  /// Whether it has expired is for the check's own record to say, in the server's time.
  func secret(of token: String, for check: SessionID) -> String? {
    claim(in: token).flatMap { $0.check == check ? $0.secret : nil }
  }

  /// The check that a token says it is of, and the secret that it carries; nil when the token is forged or changed.
  func claim(in token: String) -> (check: SessionID, secret: String)? {
    guard let bytes = key.payload(of: token, type: Self.type),
      let claims = try? JSONDecoder().decode(Claims.self, from: Data(bytes)), let check = SessionID(claims.subject)
    else { return nil }
    return (check, claims.secret)
  }

  /// NumericDate (RFC 7519, section 2), rounded down.
  private static func seconds(_ time: UnixTime) -> Int64 { time.milliseconds / 1000 }

  public var description: String { "SessionTokens(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
