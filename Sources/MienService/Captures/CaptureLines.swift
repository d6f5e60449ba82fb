public import MienAuthenticity

/// One line of what a verifier is told.
public struct CaptureLine: Hashable, Sendable {
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
  public static func lines(of capture: CaptureRecord) -> [CaptureLine] {
    [
      integrity(capture), signer(capture), device(capture), app(capture), scene(capture), claims(capture),
      time(capture), place(capture),
    ]
  }

  private static func integrity(_ capture: CaptureRecord) -> CaptureLine {
    let seen = capture.history.samePhoto > 0 ? ["same-photo-before"] : []
    guard let signature = capture.signature else { return CaptureLine(.integrity, .notChecked, ["not-signed"] + seen) }
    return switch signature.standing {
    case .valid where signature.changed.isEmpty: CaptureLine(.integrity, .pass, ["parts-as-signed"] + seen)
    case .valid: CaptureLine(.integrity, .fail, signature.changed.map { "\($0.code)-changed" } + seen)
    // Nothing is known of what was signed, so nothing is known to be changed.
    case .invalid: CaptureLine(.integrity, .notChecked, ["signature-says-nothing"] + seen)
    case .deviceUnknown: CaptureLine(.integrity, .notChecked, ["device-unknown"] + seen)
    }
  }

  private static func signer(_ capture: CaptureRecord) -> CaptureLine {
    guard let signature = capture.signature else { return CaptureLine(.signer, .notChecked, "not-signed") }
    return switch signature.standing {
    case .valid: CaptureLine(.signer, .pass, "registered-key")
    case .invalid: CaptureLine(.signer, .fail, "signature-invalid")
    case .deviceUnknown: CaptureLine(.signer, .unavailable, "device-unknown")
    }
  }

  private static func device(_ capture: CaptureRecord) -> CaptureLine {
    guard let signature = capture.signature else { return CaptureLine(.device, .notChecked, "not-signed") }
    guard signature.standing == .valid, let before = capture.history.counter else {
      return CaptureLine(
        .device, .notChecked, signature.standing == .invalid ? "signature-says-nothing" : "device-unknown")
    }
    if signature.counter > before { return CaptureLine(.device, .pass, "counter-went-on") }
    return CaptureLine(.device, .fail, signature.counter == before ? "counter-repeated" : "counter-went-back")
  }

  private static func scene(_ capture: CaptureRecord) -> CaptureLine {
    guard capture.state != .hashOnly else { return CaptureLine(.scene, .notChecked, "no-picture") }
    guard let results = capture.results else { return CaptureLine(.scene, .notChecked, "analysing") }
    return scene(of: results)
  }

  /// What the results of the checks alone say of the scene.
  public static func scene(of results: DetectionResults) -> CaptureLine {
    guard results.hasAnyResults, let aggregated = results.aggregated else {
      guard results[.texture]?.outcome != .notAssessed(.nothingToMeasure) else {
        return CaptureLine(.scene, .unavailable, "nothing-to-measure")
      }
      let unreadable = results.readings.contains { $0.outcome == .notAssessed(.unreadable) }
      return CaptureLine(.scene, .unavailable, unreadable ? "picture-unreadable" : "no-results")
    }
    return switch aggregated.confidenceLevel {
    case .veryHigh, .high: CaptureLine(.scene, .pass, "looks-real")
    case .medium, .low: CaptureLine(.scene, .unavailable, "undecided")
    case .suspicious: CaptureLine(.scene, .fail, "looks-like-a-copy")
    }
  }

  private static func claims(_ capture: CaptureRecord) -> CaptureLine {
    guard capture.claims.detection != nil || capture.claims.metadata?.summary != nil else {
      return CaptureLine(.claims, .notChecked, "no-claims")
    }
    guard capture.state != .hashOnly else { return CaptureLine(.claims, .notChecked, "no-picture") }
    guard let results = capture.results else { return CaptureLine(.claims, .notChecked, "analysing") }
    let comparison = ClaimComparison(capture.claims, results)
    if !comparison.disagreements.isEmpty { return CaptureLine(.claims, .fail, "claims-differ") }
    return comparison.compared > 0
      ? CaptureLine(.claims, .pass, "claims-agree") : CaptureLine(.claims, .unavailable, "nothing-to-compare")
  }

}

extension CapturePart {
  /// The part's name within a reason's code.
  var code: String { self == .depth ? "depth" : rawValue }
}
