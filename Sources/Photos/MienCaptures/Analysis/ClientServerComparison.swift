public import MienAuthenticity

/// Comparison of the client's findings with the server's.
public struct ClientServerComparison: Hashable, Sendable {
  /// A finding on which the two differ.
  public struct Disagreement: Hashable, Sendable {
    /// Name of a check, `aggregated`, or a member of the metadata's summary.
    public let subject: String
    public let claimed: String
    public let found: String
  }

  public private(set) var disagreements: [Disagreement] = []
  /// Number of findings that could be compared.
  public private(set) var compared = 0

  /// Compares what both sides decided; findings that are undecided on either side are left out.
  public init(_ claims: CaptureClaims, _ results: DetectionResults) {
    if let claimed = claims.detection {
      compare("moire", claimed.hasMoire, results.hasMoire)
      compare("texture", claimed.texture?.isCopy, results.texture?.isCopy)
      compare("artifacts", claimed.isArtificial, results.isArtificial)
      compare("aggregated", claimed.aggregated?.speaksForScene, results.aggregated?.speaksForScene)
    }
    guard let summary = claims.metadata?.summary else { return }
    compare(
      "detection_confidence_level", summary.confidenceLevel?.speaksForScene, results.aggregated?.speaksForScene)
    // The summary is an index of the detection part: if both were sent, their levels must be identical.
    if let level = summary.confidenceLevel, let part = claims.detection?.aggregated?.confidenceLevel {
      compared += 1
      if level != part { disagree("detection", level.rawValue, part.rawValue) }
    }
    if let part = claims.detection {
      compare("detection_available", summary.available, part.hasAnyResults)
    }
  }

  private mutating func compare(_ subject: String, _ claimed: Bool?, _ found: Bool?) {
    guard let claimed, let found else { return }
    compared += 1
    if claimed != found { disagree(subject, "\(claimed)", "\(found)") }
  }

  private mutating func disagree(_ subject: String, _ claimed: String, _ found: String) {
    disagreements.append(Disagreement(subject: subject, claimed: claimed, found: found))
  }
}

extension DetectionResults {
  /// `true` if there is moiré; `nil` if the check is undecided, which its report cannot express.
  fileprivate var hasMoire: Bool? {
    moire?.detected == false && self[.moire]?.assessment?.verdict == .undecided ? nil : moire?.detected
  }

  /// `true` if artifacts are likely; `nil` if they are not but undecided checks could still make them so.
  fileprivate var isArtificial: Bool? {
    artifacts?.isLikelyArtificial == false && ArtifactChecks.isOpen(readings) ? nil : artifacts?.isLikelyArtificial
  }
}

extension TextureReport {
  /// `true` if the texture shows a screen or a print; `nil` if it is undecided.
  var isCopy: Bool? {
    switch classification {
    case .realScene: false
    case .unknown: nil
    default: true
    }
  }
}

extension AggregateReport {
  var speaksForScene: Bool? { confidenceLevel.speaksForScene }
}

extension AggregateReport.Level {
  /// `true` if the level indicates a real scene; `nil` in between.
  var speaksForScene: Bool? {
    switch self {
    case .veryHigh, .high: true
    case .medium, .low: nil
    case .suspicious: false
    }
  }
}
