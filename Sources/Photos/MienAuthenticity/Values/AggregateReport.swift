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
