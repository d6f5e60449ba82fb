public import MienCore

/// Result of one check: its native value with the calibrated score, or the reason it was not assessed.
public struct SceneCheckResult: Hashable, Sendable {
  public let check: CheckName
  public let outcome: Outcome
  /// Version of the measuring algorithm; calibrations have their own versions.
  public let version: String

  public enum Outcome: Hashable, Sendable {
    case assessed(Assessment)
    case notAssessed(SceneCheckUnavailableReason)
  }

  /// Classification of a native value.
  public enum Verdict: String, Codable, Hashable, Sendable {
    /// Evidence of a real scene.
    case genuine
    /// Evidence of a screen, a print or another flat recapture.
    case suspect
    /// Between the thresholds: not enough evidence either way.
    case undecided
  }

  /// Native value and its calibrated result.
  public struct Assessment: Hashable, Sendable {
    /// Value in the check's own unit, its score (1 = strongest evidence of a real scene) and the calibration's version.
    public let measure: Finding.Measure
    public let verdict: Verdict
    /// Native value from which the result is suspect.
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

  /// The assessment; nil if the check was not assessed.
  public var assessment: Assessment? {
    if case .assessed(let assessment) = outcome { assessment } else { nil }
  }
}

extension SceneCheckResult: Codable {
  private enum CodingKeys: String, CodingKey {
    case check, result, native, score, threshold, calibration, reason
    case version = "algorithm_version"
  }

  /// - Throws: `DecodingError` if the result is unknown or a number is missing, not finite or out of range.
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
