/// Verification of whether a genuine app on a genuine device took the capture.
extension CaptureLines {
  static func app(_ capture: CaptureRecord) -> VerificationLine {
    guard let signature = capture.signature else { return VerificationLine(.app, .notChecked, "not-signed") }
    switch signature.standing {
    case .invalid: return VerificationLine(.app, .notChecked, "signature-says-nothing")
    case .deviceUnknown: return VerificationLine(.app, .notChecked, "device-unknown")
    case .valid: break
    }
    guard let attestation = signature.attestation else {
      return VerificationLine(.app, .notChecked, "attestation-disabled")
    }
    // The app asserted the signed parts, and the received ones differ from them.
    guard signature.changed.isEmpty else {
      return VerificationLine(.app, .fail, signature.changed.map { "\($0.code)-changed" })
    }
    let (status, reason) = evaluate(attestation, before: capture.history.assertion)
    let remark = status == .pass && attestation.environment == .development ? ["development-app"] : []
    return VerificationLine(.app, status, [reason] + remark)
  }

  private static func evaluate(
    _ attestation: AttestationOutcome, before: Int64?
  ) -> (status: VerificationLine.Status, reason: String) {
    switch attestation.standing {
    case .none: return attestation.environment == nil ? (.notChecked, "not-attested") : (.pass, "key-attested")
    case .invalid: return (.fail, "assertion-invalid")
    // Without an attestation, nothing is known of the app; an assertion of another app's key is not this device's.
    case .foreignKey:
      return attestation.environment == nil ? (.unavailable, "not-attested") : (.fail, "assertion-of-another-key")
    case .valid:
      guard let counter = attestation.counter, let before else { return (.unavailable, "not-attested") }
      if counter > before { return (.pass, "capture-asserted") }
      return (.fail, counter == before ? "assertion-repeated" : "assertion-went-back")
    }
  }
}
