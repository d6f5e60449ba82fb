import MienCore

/// Turns a native measure, which grows with signs of a copy, into a score and a verdict.
public struct Calibration: Codable, Hashable, Sendable {
  /// The measure that says nothing either way: score 0.5.
  public var midpoint: Double
  /// How far from the midpoint the score reaches 0.27 and 0.73; above 0.
  public var width: Double
  /// From here on the check says suspect.
  public var suspectFrom: Double
  /// Below this it says genuine; what lies between is undecided.
  public var genuineBelow: Double
  public var version: String

  public init(midpoint: Double, width: Double, suspectFrom: Double, genuineBelow: Double, version: String) {
    self.midpoint = midpoint
    self.width = width
    self.suspectFrom = suspectFrom
    self.genuineBelow = genuineBelow
    self.version = version
  }

  /// What a check says of a measure; a measure that is no number is a check that could not look.
  public func outcome(_ native: Double) -> SceneCheckResult.Outcome {
    guard native.isFinite, let score = Score(Logarithm.logistic((midpoint - native) / width)) else {
      return .notAssessed(.nothingToMeasure)
    }
    let measure = Finding.Measure(native: native, score: score, calibration: version)
    let verdict: SceneCheckResult.Verdict =
      native >= suspectFrom ? .suspect : native < genuineBelow ? .genuine : .undecided
    return .assessed(SceneCheckResult.Assessment(measure: measure, verdict: verdict, threshold: suspectFrom))
  }
}
