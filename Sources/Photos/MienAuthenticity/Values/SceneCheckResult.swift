public import MienCore

/// What one check read: its native measure with the calibrated score, or why it could not look.
public struct SceneCheckResult: Hashable, Sendable {
  public let check: CheckName
  public let outcome: Outcome
  /// The version of the algorithm that measured; calibrations have versions of their own.
  public let version: String

  public enum Outcome: Hashable, Sendable {
    case assessed(Assessment)
    case notAssessed(SceneCheckUnavailableReason)
  }

  /// Which way a measure points.
  public enum Verdict: String, Codable, Hashable, Sendable {
    /// Signs of a real scene.
    case genuine
    /// Signs of a screen, a print or another flat copy.
    case suspect
    /// Between the thresholds: the measure does not tell.
    case undecided
  }

  /// A measure and what the calibration made of it.
  public struct Assessment: Hashable, Sendable {
    /// The value in the check's own unit, its score (1 = best sign of a real scene) and the calibration's version.
    public let measure: Finding.Measure
    public let verdict: Verdict
    /// The native value from which the check says suspect.
    public let threshold: Double

    public init(measure: Finding.Measure, verdict: Verdict, threshold: Double) {
      self.measure = measure
      self.verdict = verdict
      self.threshold = threshold
    }
  }

  public init(check: CheckName, outcome: Outcome, version: String) {
    self.check = check
    self.outcome = outcome
    self.version = version
  }

  /// The assessment, nil when the check could not look.
  public var assessment: Assessment? {
    if case .assessed(let assessment) = outcome { assessment } else { nil }
  }
}

extension SceneCheckResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case check, result, native, score, threshold, calibration, reason
    case version = "algorithm_version"
  }

  /// - Throws: `DecodingError` when the result is unknown or a number is missing, not finite or out of range.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    check = try box.decode(CheckName.self, forKey: .check)
    version = try box.shortText(forKey: .version)
    let result = try box.decode(String.self, forKey: .result)
    if result == "not-assessed" {
      outcome = .notAssessed(try box.decode(SceneCheckUnavailableReason.self, forKey: .reason))
      return
    }
    guard let verdict = Verdict(rawValue: result) else {
      throw DecodingError.dataCorruptedError(forKey: .result, in: box, debugDescription: "no such result")
    }
    let measure = Finding.Measure(
      native: try box.finite(forKey: .native), score: try box.score(forKey: .score),
      calibration: try box.shortText(forKey: .calibration))
    outcome = .assessed(
      Assessment(measure: measure, verdict: verdict, threshold: try box.finite(forKey: .threshold)))
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.container(keyedBy: CodingKeys.self)
    try box.encode(check, forKey: .check)
    try box.encode(version, forKey: .version)
    switch outcome {
    case .notAssessed(let obstacle):
      try box.encode("not-assessed", forKey: .result)
      try box.encode(obstacle, forKey: .reason)
    case .assessed(let assessment):
      try box.encode(assessment.verdict, forKey: .result)
      try box.encode(assessment.measure.native, forKey: .native)
      try box.encode(assessment.measure.score.value, forKey: .score)
      try box.encode(assessment.threshold, forKey: .threshold)
      try box.encode(assessment.measure.calibration, forKey: .calibration)
    }
  }
}
