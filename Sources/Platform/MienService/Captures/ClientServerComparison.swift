public import MienAuthenticity

/// The client's findings beside the server's.
public struct ClientServerComparison: Hashable, Sendable {
  /// Something that the two say differently.
  public struct Disagreement: Hashable, Sendable {
    /// What it is about: the name of a check, `aggregated`, or a member of the metadata's summary.
    public let subject: String
    public let claimed: String
    public let found: String
  }

  public private(set) var disagreements: [Disagreement] = []
  /// How many things could be compared.
  public private(set) var compared = 0

  /// Compares what both sides decided; what either could not tell is left out.
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
    // The summary is an index of the detection part; where both came they must be the same words.
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
  /// Whether there is moire; nil when the check does not tell, which its report has no word for.
  fileprivate var hasMoire: Bool? {
    moire?.detected == false && self[.moire]?.assessment?.verdict == .undecided ? nil : moire?.detected
  }

  /// Whether artefacts are likely; nil when checks that do not tell could still make them so.
  fileprivate var isArtificial: Bool? {
    artifacts?.isLikelyArtificial == false && ArtifactChecks.isOpen(readings) ? nil : artifacts?.isLikelyArtificial
  }
}

extension TextureReport {
  /// Whether it shows a screen or a print; nil when it does not tell.
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
  /// Whether it speaks for a real scene; nil in between.
  var speaksForScene: Bool? {
    switch self {
    case .veryHigh, .high: true
    case .medium, .low: nil
    case .suspicious: false
    }
  }
}
