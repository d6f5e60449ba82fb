internal import MienCore
internal import RealModule

/// Combines the results of all checks into one confidence.
///
/// Each assessed signal contributes its weight times the log-odds of its score, clamped to ±`strongest`. The weights of
/// the assessed signals are not renormalized to 1, so a single weak signal moves the result only slightly. 0.5 is the
/// confidence without any evidence.
public struct Aggregation: Sendable {
  public static let version = "3"
  /// Version of a result whose texture check had no features of its network.
  public static let versionWithoutNetwork = "2"

  public struct Settings: Codable, Hashable, Sendable {
    /// Weight per check; checks without an entry are ignored.
    public var weights: [CheckName: Double]
    /// Checks that can only lower the confidence: the absence of bands or dots is no evidence for a bona fide scene.
    public var onlyAccusing: Set<CheckName>
    /// Maximum absolute log-odds of one signal, before weighting.
    public var strongest: Double
    /// Minimum confidences of the levels `very_high`, `high`, `medium` and `low`; anything lower is `suspicious`.
    public var levels: [Double]

    public init(
      weights: [CheckName: Double], onlyAccusing: Set<CheckName>, strongest: Double, levels: [Double]
    ) {
      self.weights = weights
      self.onlyAccusing = onlyAccusing
      self.strongest = strongest
      self.levels = levels
    }

    public static let shipped = Settings(
      weights: [
        .depth: 1.2, .parallax: 0.5, .texture: 1, .moire: 0.5, .halftone: 0.4, .banding: 0.4, .bandMotion: 0.5,
        .flicker: 0.3, .bezel: 0.1, .specular: 0.1, .focus: 0.2,
      ], onlyAccusing: [.halftone, .banding, .bandMotion, .flicker, .bezel, .specular], strongest: 3,
      levels: [0.9, 0.75, 0.5, 0.07])
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  /// Returns the weighted aggregate, or nil if no check with a positive weight was assessed.
  func weigh(_ readings: [SceneCheckResult], cross: CrossValidationReport?) -> AggregateReport? {
    let signals = readings.compactMap { reading -> Signal? in
      guard let assessment = reading.assessment, let weight = settings.weights[reading.check], weight > 0 else {
        return nil
      }
      let upper = settings.onlyAccusing.contains(reading.check) ? 0 : settings.strongest
      return Signal(
        check: reading.check, weight: weight, assessment: assessment, limits: -settings.strongest...upper)
    }
    let total = signals.reduce(0) { $0 + $1.weight }
    guard total > 0 else { return nil }
    let logOdds = signals.reduce(0) { $0 + $1.weight * $1.logOdds }
    let overall = 1 / (1 + Double.exp(-logOdds))
    let primary = signals.max { $0.weight < $1.weight }
    let decided = signals.filter { $0.assessment.verdict != .undecided }
    let disagree = Set(decided.map(\.assessment.verdict)).count > 1
    var level = self.level(overall)
    // Caps the level at medium if verdicts contradict each other or the primary signal is suspect.
    if disagree || primary?.assessment.verdict == .suspect { level = max(level, 2) }
    var flags: [AggregateReport.Flag] = []
    if primary?.assessment.verdict == .suspect { flags.append(.primarySignalFailed) }
    if disagree { flags.append(.signalsDisagree) }
    let suspects = Set(decided.filter { $0.assessment.verdict == .suspect }.map(\.check))
    if suspects.contains(.moire) || suspects.contains(.texture) { flags.append(.screenDetected) }
    if suspects.contains(.halftone) { flags.append(.printDetected) }
    if readings.first(where: { $0.check == .depth })?.assessment == nil { flags.append(.depthMissing) }
    if [.moire, .texture].contains(where: { name in readings.first { $0.check == name }?.assessment == nil }) {
      flags.append(.partialAnalysis)
    }
    if cross?.status == .fail { flags.append(.consistencyAnomaly) }
    let texture = readings.first { $0.check == .texture }
    let version = texture?.version == TextureCheck.versionWithoutNetwork ? Self.versionWithoutNetwork : Self.version
    return AggregateReport(
      overallConfidence: overall, confidenceLevel: AggregateReport.Level.allCases[level],
      primarySignal: primary?.check, primarySignalValid: primary?.assessment.verdict.isGenuine,
      signalsAgree: signals.count >= 2 ? !disagree : nil,
      contributions: signals.map {
        AggregateReport.Contribution(
          check: $0.check, weight: $0.weight / total, score: $0.assessment.measure.score.value)
      }, flags: flags, algorithmVersion: version)
  }

  /// Returns the level for a confidence alone, before contradictions are considered.
  public func level(ofConfidence overall: Double) -> AggregateReport.Level {
    AggregateReport.Level.allCases[level(overall)]
  }

  private func level(_ overall: Double) -> Int {
    settings.levels.firstIndex { overall >= $0 } ?? settings.levels.count
  }

  private struct Signal {
    var check: CheckName
    var weight: Double
    var assessment: SceneCheckResult.Assessment
    var limits: ClosedRange<Double>

    var logOdds: Double {
      let score = min(max(assessment.measure.score.value, 1e-6), 1 - 1e-6)
      return min(max(Double.log(score / (1 - score)), limits.lowerBound), limits.upperBound)
    }
  }
}

extension SceneCheckResult.Verdict {
  /// `true` for genuine, `false` for suspect, `nil` for undecided.
  var isGenuine: Bool? {
    switch self {
    case .genuine: true
    case .suspect: false
    case .undecided: nil
    }
  }
}

/// Weighted combination of all signals.
public struct AggregateReport: Hashable, Sendable {
  /// 0 (a recapture) … 1 (a real scene); 0.5 is no evidence either way.
  public var overallConfidence: Double
  public var confidenceLevel: Level
  /// Signal with the greatest weight; nil if there was none.
  public var primarySignal: CheckName?
  /// `true` if the primary signal indicates a real scene; nil without a primary signal or if it is undecided.
  public var primarySignalValid: Bool?
  /// `true` if no signal contradicts another; nil with fewer than two signals.
  public var signalsAgree: Bool?
  /// Contribution of each signal.
  public var contributions: [Contribution]
  public var flags: [Flag]
  public var algorithmVersion: String

  public enum Level: String, Codable, Hashable, Sendable, CaseIterable {
    case veryHigh = "very_high"
    case high, medium, low, suspicious
  }

  /// Contribution of one signal to the combination.
  public struct Contribution: Codable, Hashable, Sendable {
    public var check: CheckName
    /// Share of the weights of all assessed signals, 0…1.
    public var weight: Double
    /// Score of the signal, 0…1.
    public var score: Double

    public init(check: CheckName, weight: Double, score: Double) {
      self.check = check
      self.weight = weight
      self.score = score
    }
  }

  public enum Flag: String, Codable, Hashable, Sendable, CaseIterable {
    case primarySignalFailed = "primary_signal_failed"
    case signalsDisagree = "signals_disagree"
    case screenDetected = "screen_detected"
    case printDetected = "print_detected"
    case depthMissing = "depth_missing"
    case partialAnalysis = "partial_analysis"
    case consistencyAnomaly = "consistency_anomaly"
  }

  public init(
    overallConfidence: Double, confidenceLevel: Level, primarySignal: CheckName?, primarySignalValid: Bool?,
    signalsAgree: Bool?, contributions: [Contribution], flags: [Flag], algorithmVersion: String
  ) {
    self.overallConfidence = overallConfidence
    self.confidenceLevel = confidenceLevel
    self.primarySignal = primarySignal
    self.primarySignalValid = primarySignalValid
    self.signalsAgree = signalsAgree
    self.contributions = contributions
    self.flags = flags
    self.algorithmVersion = algorithmVersion
  }
}

extension AggregateReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case contributions, flags
    case overallConfidence = "overall_confidence"
    case confidenceLevel = "confidence_level"
    case primarySignal = "primary_signal"
    case primarySignalValid = "primary_signal_valid"
    case signalsAgree = "supporting_signals_agree"
    case algorithmVersion = "algorithm_version"
  }

  /// Ignores unknown signals and flags, because other programs define their own.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    overallConfidence = try box.fraction(forKey: .overallConfidence)
    confidenceLevel = try box.decode(Level.self, forKey: .confidenceLevel)
    primarySignal = try box.shortTextIfPresent(forKey: .primarySignal).flatMap(CheckName.init(rawValue:))
    primarySignalValid = try box.decodeIfPresent(Bool.self, forKey: .primarySignalValid)
    signalsAgree = try box.decodeIfPresent(Bool.self, forKey: .signalsAgree)
    contributions = try box.shortList(of: Contribution.self, forKey: .contributions)
    flags = try box.shortList(of: String.self, forKey: .flags).compactMap(Flag.init(rawValue:))
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
