internal import MienPlatform
internal import Crypto

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
