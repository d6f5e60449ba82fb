import MienTestGenerators
import Crypto
import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity
@testable import MienWebhooks

@Suite struct `Webhook signatures` {
  private static let body = Array(#"{"test": 2432232314}"#.utf8)

  private func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

  /// Test vectors of the reference implementation (standard-webhooks, `webhook_test.go`, `webhook_asymmetric_test.go`).
  @Test func `signatures match the test vectors of Standard Webhooks`() throws {
    let id = try #require(WebhookDeliveryID("msg_p5jXN8AQM9LWM0D4loKWxJek"))
    let key = try Curve25519.Signing.PrivateKey(
      rawRepresentation: bytes("VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk="))
    let text = WebhookSignature.text(
      id: id, timestamp: 1_614_265_330, body: Self.body, secrets: [try bytes("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
      key: key)
    let parts = text.split(separator: " ").map(String.init)
    #expect(parts.count == 2 && parts[0] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    #expect(parts[1].hasPrefix("v1a,"))
    let signed = Data("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.".utf8) + Data(Self.body)
    let published = "tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag=="
    #expect(key.publicKey.isValidSignature(try bytes(published), for: signed))
    #expect(key.publicKey.isValidSignature(try bytes(String(parts[1].dropFirst(4))), for: signed))
    #if os(Linux)
      #expect(parts[1] == "v1a,\(published)", "Ed25519 is deterministic (RFC 8032)")
    #endif
  }

  @Test func `the old secret signs until its overlap ends`() throws {
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32)))
    var generator = SplitMixGenerator(seed: 1)
    let id = try #require(WebhookID("whk_1"))
    let (old, new) = (
      WebhookSecrets.make(for: id, keyring: keyring, using: &generator),
      WebhookSecrets.make(for: id, keyring: keyring, using: &generator)
    )
    let key = WebhookSecrets.makeKey(for: id, keyring: keyring, using: &generator)
    let endpoint = WebhookEndpoint(
      id: id, url: "https://a.example/", events: [.checkPassed], secret: new.sealed,
      previous: .init(secret: old.sealed, until: UnixTime(milliseconds: 100)), signingKey: key.sealed,
      publicKey: key.publicKey, created: UnixTime(milliseconds: 1))
    func shown(_ secrets: WebhookSecrets?) -> [String]? { secrets?.secrets.map { "whsec_" + Base64URL.standard($0) } }
    #expect(
      shown(WebhookSecrets(endpoint, keyring: keyring, now: UnixTime(milliseconds: 99))) == [new.shown, old.shown])
    #expect(shown(WebhookSecrets(endpoint, keyring: keyring, now: UnixTime(milliseconds: 100))) == [new.shown])
    let other = try #require(MasterKeyring(key: [UInt8](repeating: 8, count: 32)))
    #expect(WebhookSecrets(endpoint, keyring: other, now: UnixTime(milliseconds: 1)) == nil)
    #expect(endpoint.publicKeyText == "whpk_" + Data(key.publicKey).base64EncodedString())
    #expect("\(endpoint)" == "WebhookEndpoint(whk_1)")
  }

  @Test func `a message id is stable per result and unique per check and webhook`() throws {
    func name(_ webhook: String, _ check: String) throws -> String {
      WebhookDelivery.telling(
        try #require(WebhookID(webhook)), of: try #require(CheckID(check)), try sampleResult()
      ).id.text
    }
    #expect(try name("whk_1", "chk_1") == name("whk_1", "chk_1"))
    #expect(try Set([name("whk_1", "chk_1"), name("whk_2", "chk_1"), name("whk_1", "chk_2")]).count == 3)
    #expect(try name("whk_1", "chk_1").wholeMatch(of: /msg_[A-Za-z0-9_-]{24}/) != nil)
    #expect(WebhookDeliveryID("msg.1") == nil, "a period separates the parts of the signed text")
  }

  @Test func `standard base64 matches Foundation`() {
    var generator = SplitMixGenerator(seed: 2)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      #expect(Base64URL.standard(bytes) == Data(bytes).base64EncodedString())
    }
  }
}
