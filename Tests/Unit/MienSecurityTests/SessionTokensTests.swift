import MienTestGenerators
import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienPlatform
@testable import MienSecurity

private let (created, expires) = (UnixTime(milliseconds: 1_000_900), UnixTime(milliseconds: 1_180_900))

/// Returns a token of check "one" with its issuer.
private func sample(seed: UInt64 = 1) throws -> (tokens: SessionTokens, token: String, id: CheckID) {
  var generator = SplitMixGenerator(seed: seed)
  let tokens = SessionTokens(using: &generator)
  let id = try #require(CheckID("one"))
  return (tokens, tokens.make(for: id, secret: "s3cret", created: created, expires: expires), id)
}

private func claims(_ token: String) throws -> [String: Any] {
  let part = try #require(token.split(separator: ".").dropFirst().first)
  let bytes = try #require(Base64URL.decode(part))
  return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
}

@Suite("Session tokens")
struct SessionTokensTests {
  @Test func `a token contains its check, times and issuer and is valid for that check only`() throws {
    let (tokens, token, id) = try sample()
    let claims = try claims(token)
    #expect(claims["iss"] as? String == "mien" && claims["sub"] as? String == "one")
    #expect(claims["iat"] as? Int == 1000 && claims["exp"] as? Int == 1180)
    #expect(tokens.secret(of: token, for: id) == "s3cret")
    #expect(tokens.secret(of: token, for: try #require(CheckID("two"))) == nil)
    #expect("\(tokens)" == "SessionTokens(withheld)")
  }

  @Test func `a token signed by another key is invalid`() throws {
    let (tokens, _, id) = try sample()
    #expect(tokens.secret(of: try sample(seed: 2).token, for: id) == nil)
  }

  @Test func `a token with any byte changed, removed or added is invalid`() throws {
    let (tokens, token, id) = try sample()
    let characters = Array(token.utf8)
    for index in characters.indices {
      for replacement in [UInt8(ascii: "A"), UInt8(ascii: "."), characters[index] ^ 1]
      where replacement != characters[index] {
        var changed = characters
        changed[index] = replacement
        #expect(tokens.secret(of: String(decoding: changed, as: UTF8.self), for: id) == nil, "at \(index)")
      }
      var shorter = characters
      shorter.remove(at: index)
      #expect(tokens.secret(of: String(decoding: shorter, as: UTF8.self), for: id) == nil, "without \(index)")
    }
    for wrong in [
      token + "A", token + "=", token + ".", " " + token, "", ".", "..", "a.b.c", String(repeating: ".", count: 500),
    ] {
      #expect(tokens.secret(of: wrong, for: id) == nil)
    }
  }

  @Test func `the algorithm none and embedded keys are rejected`() throws {
    let (tokens, token, id) = try sample()
    let parts = token.split(separator: ".")
    for header in [
      #"{"alg":"none"}"#, #"{"alg":"HS256","typ":"mien-session+jwt"}"#,
      #"{"alg":"ES256","jwk":{"kty":"EC"},"typ":"mien-session+jwt"}"#,
    ] {
      let first = Base64URL.encode(Array(header.utf8))
      #expect(tokens.secret(of: "\(first).\(parts[1]).", for: id) == nil)
      #expect(tokens.secret(of: "\(first).\(parts[1]).\(parts[2])", for: id) == nil)
    }
  }

  @Test func `a signed result is not a token although the same key signed it`() throws {
    var generator = SplitMixGenerator(seed: 4)
    let key = SigningKey(using: &generator)
    let payload = Array("{}".utf8)
    #expect(key.payload(of: key.sign(payload, type: "a"), type: "a") == payload)
    #expect(key.payload(of: key.sign(payload, type: "a"), type: "b") == nil)
  }

  @Test func `base64url has one encoding for each byte sequence`() {
    var generator = SplitMixGenerator(seed: 5)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let text = Base64URL.encode(bytes)
      #expect(Base64URL.decode(text) == bytes)
      #expect(Base64URL.decode(text + "=") == nil && Base64URL.decode(text + "+") == nil)
    }
    for wrong in ["A", "AB", "ABD", "AAAAA", "A/==", "é"] { #expect(Base64URL.decode(wrong) == nil, "\(wrong)") }
    #expect(Base64URL.decode("AA") == [0] && Base64URL.decode("AAA") == [0, 0])
  }

  @Test func `keys and ids identify their realm`() throws {
    var generator = SplitMixGenerator(seed: 7)
    for realm in Realm.allCases {
      for _ in 0..<200 {
        let key = RandomTokens.make(prefix: realm.keyPrefix, count: 43, using: &generator)
        let check = RandomTokens.make(prefix: realm.checkPrefix, count: 22, using: &generator)
        let uuid = RandomTokens.uuid(version: realm.uuidVersion, using: &generator)
        #expect(Realm(ofKey: key) == realm)
        #expect(Realm(of: try #require(CheckID(check))) == realm)
        #expect(Realm(of: try #require(CheckID(uuid))) == realm && UUID(uuidString: uuid) != nil)
        #expect(Realm(ofAccessKey: realm.accessKeyPrefix + "ABCDEFGHIJKLMNOP") == realm)
      }
    }
  }
}
