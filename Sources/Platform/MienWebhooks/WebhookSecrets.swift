internal import Crypto
internal import MienCore
internal import MienPlatform
internal import MienSecurity

/// The signing secrets of a webhook, with their encryption and display.
struct WebhookSecrets {
  /// Length of an HMAC secret in bytes; the standard requires 24 to 64.
  static let length = 32

  /// The HMAC secrets in effect, the current one first.
  let secrets: [[UInt8]]
  let key: Curve25519.Signing.PrivateKey

  /// Decrypts the secrets in effect at `now`; `nil` if they cannot be decrypted with this keyring.
  init?(_ endpoint: WebhookEndpoint, keyring: MasterKeyring, now: UnixTime) {
    guard let secret = keyring.open(endpoint.secret, as: Self.secretLabel(endpoint.id)),
      let bytes = keyring.open(endpoint.signingKey, as: Self.keyLabel(endpoint.id)),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    else { return nil }
    var secrets = [secret]
    if let previous = endpoint.previous, now < previous.until {
      guard let old = keyring.open(previous.secret, as: Self.secretLabel(endpoint.id)) else { return nil }
      secrets.append(old)
    }
    self.secrets = secrets
    self.key = key
  }

  /// Generates a secret: encrypted for the webhook, and in the form shown to its owner.
  static func make(for id: WebhookID, keyring: MasterKeyring, using generator: inout some RandomNumberGenerator)
    -> (
      sealed: [UInt8], shown: String
    )
  {
    let secret = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    return (keyring.close(secret, as: secretLabel(id), using: &generator), "whsec_" + Base64URL.standard(secret))
  }

  /// Generates an Ed25519 key: encrypted for the webhook, and its public key.
  static func makeKey(
    for id: WebhookID, keyring: MasterKeyring, using generator: inout some RandomNumberGenerator
  ) -> (
    sealed: [UInt8], publicKey: [UInt8]
  ) {
    let seed = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else {
      preconditionFailure("any 32 bytes are a seed of Ed25519 (RFC 8032)")
    }
    return (keyring.close(seed, as: keyLabel(id), using: &generator), Array(key.publicKey.rawRepresentation))
  }

  private static func secretLabel(_ id: WebhookID) -> String { "webhook-secret/\(id.text)" }
  private static func keyLabel(_ id: WebhookID) -> String { "webhook-key/\(id.text)" }
}

extension WebhookEndpoint {
  /// The public key as Standard Webhooks writes it: `whpk_` and base64.
  public var publicKeyText: String { "whpk_" + Base64URL.standard(publicKey) }
}

/// Signs deliveries according to Standard Webhooks 1.0: over `{id}.{timestamp}.{body}`.
enum WebhookSignature {
  /// Returns the value of `webhook-signature`: a `v1` signature (HMAC-SHA256) for each secret and one `v1a` (Ed25519).
  ///
  /// - Parameter timestamp: seconds since 1970-01-01T00:00:00Z.
  static func text(
    id: WebhookDeliveryID, timestamp: Int64, body: [UInt8], secrets: [[UInt8]], key: Curve25519.Signing.PrivateKey
  ) -> String {
    let signed = Array("\(id.text).\(timestamp).".utf8) + body
    var signatures = secrets.map { secret in
      let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
      return "v1," + Base64URL.standard(Array(code))
    }
    guard let signature = try? key.signature(for: signed) else {
      preconditionFailure("a valid key signs anything")
    }
    signatures.append("v1a," + Base64URL.standard(Array(signature)))
    return signatures.joined(separator: " ")
  }
}
