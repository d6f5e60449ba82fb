public import MienAuthenticity

/// One line of what a verifier is told.
public struct VerificationLine: Hashable, Sendable {
  public enum Name: String, Hashable, Sendable, CaseIterable {
    /// Whether the parts are the ones that were signed.
    case integrity
    /// Whether a registered key signed them.
    case signer
    /// Whether the device's counter says that it is new.
    case device
    /// Whether a genuine app on a genuine device took it.
    case app
    /// Whether the pixels and the depth show a scene and no picture of one.
    case scene
    /// Whether the client's own findings are the server's.
    case claims
    case time
    case place
  }

  public enum Status: String, Hashable, Sendable {
    case pass
    case fail
    /// Nobody looked, or there was nothing to look at.
    case notChecked = "not-checked"
    /// Somebody looked, and there is no answer.
    case unavailable
  }

  public let name: Name
  public let status: Status
  /// Stable codes that say why.
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

/// What a capture's facts mean for a verifier. What is not known is never told as tampered with.
public enum CaptureLines {
  /// One line of each name, in their order.
  public static func lines(of capture: CaptureRecord) -> [VerificationLine] {
    [
      integrity(capture), signer(capture), device(capture), app(capture), scene(capture), claims(capture),
      time(capture), place(capture),
    ]
  }

  private static func integrity(_ capture: CaptureRecord) -> VerificationLine {
    let seen = capture.history.samePhoto > 0 ? ["same-photo-before"] : []
    guard let signature = capture.signature else {
      return VerificationLine(.integrity, .notChecked, ["not-signed"] + seen)
    }
    return switch signature.standing {
    case .valid where signature.changed.isEmpty: VerificationLine(.integrity, .pass, ["parts-as-signed"] + seen)
    case .valid: VerificationLine(.integrity, .fail, signature.changed.map { "\($0.code)-changed" } + seen)
    // Nothing is known of what was signed, so nothing is known to be changed.
    case .invalid: VerificationLine(.integrity, .notChecked, ["signature-says-nothing"] + seen)
    case .deviceUnknown: VerificationLine(.integrity, .notChecked, ["device-unknown"] + seen)
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
    guard let results = capture.results else { return VerificationLine(.scene, .notChecked, "analysing") }
    return scene(of: results)
  }

  /// What the results of the checks alone say of the scene.
  public static func scene(of results: DetectionResults) -> VerificationLine {
    guard results.hasAnyResults, let aggregated = results.aggregated else {
      guard results[.texture]?.outcome != .notAssessed(.nothingToMeasure) else {
        return VerificationLine(.scene, .unavailable, "nothing-to-measure")
      }
      let unreadable = results.readings.contains { $0.outcome == .notAssessed(.unreadable) }
      return VerificationLine(.scene, .unavailable, unreadable ? "picture-unreadable" : "no-results")
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
    guard let results = capture.results else { return VerificationLine(.claims, .notChecked, "analysing") }
    let comparison = ClientServerComparison(capture.claims, results)
    if !comparison.disagreements.isEmpty { return VerificationLine(.claims, .fail, "claims-differ") }
    return comparison.compared > 0
      ? VerificationLine(.claims, .pass, "claims-agree") : VerificationLine(.claims, .unavailable, "nothing-to-compare")
  }

}

extension CapturePart {
  /// The part's name within a reason's code.
  var code: String { self == .depth ? "depth" : rawValue }
}
