public import MienAuthenticity

/// One line of the report for a verifier.
public struct VerificationLine: Hashable, Sendable {
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// The received parts are the signed ones.
    case integrity
    /// A registered key signed the parts.
    case signer
    /// The device's counter shows that the capture is new.
    case device
    /// A genuine app on a genuine device took the capture.
    case app
    /// The pixels and the depth show a real scene, not an image of one.
    case scene
    /// The client's findings agree with the server's.
    case claims
    case time
    case place
  }

  public enum Status: String, Hashable, Sendable {
    case pass
    case fail
    /// Not checked, or there was nothing to check.
    case notChecked = "not-checked"
    /// Checked without a conclusive result.
    case unavailable
  }

  public let name: Name
  public let status: Status
  /// Stable codes of the reasons.
  public let reasons: [String]

  init(_ name: Name, _ status: Status, _ reasons: String...) {
    self.init(name, status, reasons)
  }

  init(_ name: Name, _ status: Status, _ reasons: [String]) {
    self.name = name
    self.status = status
    self.reasons = reasons
  }
}

/// Interprets a capture's facts for a verifier. Missing information is never reported as tampering.
public enum CaptureLines {
  /// Returns one line for each name, in order.
  public static func lines(of capture: CaptureRecord) -> [VerificationLine] {
    [
      integrity(capture), signer(capture), device(capture), app(capture), scene(capture), claims(capture),
      time(capture), place(capture),
    ]
  }

  private static func integrity(_ capture: CaptureRecord) -> VerificationLine {
    let duplicate = capture.history.samePhoto > 0 ? ["same-photo-before"] : []
    guard let signature = capture.signature else {
      return VerificationLine(.integrity, .notChecked, ["not-signed"] + duplicate)
    }
    return switch signature.standing {
    case .valid where signature.changed.isEmpty: VerificationLine(.integrity, .pass, ["parts-as-signed"] + duplicate)
    case .valid: VerificationLine(.integrity, .fail, signature.changed.map { "\($0.code)-changed" } + duplicate)
    // It is unknown what was signed, so nothing is known to have changed.
    case .invalid: VerificationLine(.integrity, .notChecked, ["signature-says-nothing"] + duplicate)
    case .deviceUnknown: VerificationLine(.integrity, .notChecked, ["device-unknown"] + duplicate)
    }
  }

  private static func signer(_ capture: CaptureRecord) -> VerificationLine {
    guard let signature = capture.signature else { return VerificationLine(.signer, .notChecked, "not-signed") }
    return switch signature.standing {
    case .valid: VerificationLine(.signer, .pass, "registered-key")
    case .invalid: VerificationLine(.signer, .fail, "signature-invalid")
    case .deviceUnknown: VerificationLine(.signer, .unavailable, "device-unknown")
    }
  }

  private static func device(_ capture: CaptureRecord) -> VerificationLine {
    guard let signature = capture.signature else { return VerificationLine(.device, .notChecked, "not-signed") }
    guard signature.standing == .valid, let before = capture.history.counter else {
      return VerificationLine(
        .device, .notChecked, signature.standing == .invalid ? "signature-says-nothing" : "device-unknown")
    }
    if signature.counter > before { return VerificationLine(.device, .pass, "counter-went-on") }
    return VerificationLine(.device, .fail, signature.counter == before ? "counter-repeated" : "counter-went-back")
  }

  private static func scene(_ capture: CaptureRecord) -> VerificationLine {
    guard capture.state != .hashOnly else { return VerificationLine(.scene, .notChecked, "no-picture") }
    guard let results = capture.results else { return VerificationLine(.scene, .notChecked, "analyzing") }
    return scene(of: results)
  }

  /// Returns the line for the scene from the results of the checks alone.
  public static func scene(of results: DetectionResults) -> VerificationLine {
    guard results.hasAnyResults, let aggregated = results.aggregated else {
      guard results[.texture]?.outcome != .notAssessed(.nothingToMeasure) else {
        return VerificationLine(.scene, .unavailable, "nothing-to-measure")
      }
      let unreadable = results.readings.contains { $0.outcome == .notAssessed(.unreadable) }
      return VerificationLine(.scene, .unavailable, unreadable ? "image-unreadable" : "no-results")
    }
    return switch aggregated.confidenceLevel {
    case .veryHigh, .high: VerificationLine(.scene, .pass, "looks-real")
    case .medium, .low: VerificationLine(.scene, .unavailable, "undecided")
    case .suspicious: VerificationLine(.scene, .fail, "looks-like-a-copy")
    }
  }

  private static func claims(_ capture: CaptureRecord) -> VerificationLine {
    guard capture.claims.detection != nil || capture.claims.metadata?.summary != nil else {
      return VerificationLine(.claims, .notChecked, "no-claims")
    }
    guard capture.state != .hashOnly else { return VerificationLine(.claims, .notChecked, "no-picture") }
    guard let results = capture.results else { return VerificationLine(.claims, .notChecked, "analyzing") }
    let comparison = ClientServerComparison(capture.claims, results)
    if !comparison.disagreements.isEmpty { return VerificationLine(.claims, .fail, "claims-differ") }
    return comparison.compared > 0
      ? VerificationLine(.claims, .pass, "claims-agree") : VerificationLine(.claims, .unavailable, "nothing-to-compare")
  }

}

extension CapturePart {
  /// Name of the part in a reason code.
  var code: String { self == .depth ? "depth" : rawValue }
}

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
