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

  /// Compares each claim with what the server computed itself; findings that are undecided on either side are left out.
  ///
  /// Claims that contradict each other are a disagreement too, but claims that agree with each other prove nothing and
  /// do not count as compared.
  public init(_ claims: CaptureClaims, _ results: DetectionResults) {
    let found = results.aggregated?.confidenceLevel
    if let claimed = claims.detection {
      compare("moire", claimed.hasMoire, results.hasMoire)
      compare("texture", claimed.texture?.isCopy, results.texture?.isCopy)
      compare("artifacts", claimed.isArtificial, results.isArtificial)
      compare("aggregated", claimed.aggregated?.confidenceLevel, found)
    }
    guard let summary = claims.metadata?.summary else { return }
    compare("detection_confidence_level", summary.confidenceLevel, found)
    guard let part = claims.detection else { return }
    if let level = summary.confidenceLevel, let other = part.aggregated?.confidenceLevel, level != other {
      disagree("detection", level.rawValue, other.rawValue)
    }
    if summary.available != part.hasAnyResults {
      disagree("detection_available", "\(summary.available)", "\(part.hasAnyResults)")
    }
  }

  /// Compares a decided level with the server's, unless the server's is the middle level.
  private mutating func compare(
    _ subject: String, _ claimed: AggregateReport.Level?, _ found: AggregateReport.Level?
  ) {
    guard let claimed, let found, let speaksForScene = claimed.speaksForScene, let leansToScene = found.leansToScene
    else { return }
    compared += 1
    if speaksForScene != leansToScene { disagree(subject, claimed.rawValue, found.rawValue) }
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

extension AggregateReport.Level {
  /// `true` if the level indicates a real scene; `nil` in between.
  var speaksForScene: Bool? {
    switch self {
    case .veryHigh, .high: true
    case .medium, .low: nil
    case .suspicious: false
    }
  }

  /// `true` if the level is nearer to a real scene than to a copy; `nil` in the middle.
  var leansToScene: Bool? {
    switch self {
    case .veryHigh, .high: true
    case .medium: nil
    case .low, .suspicious: false
    }
  }
}
