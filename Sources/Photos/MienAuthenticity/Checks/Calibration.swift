import MienCore
internal import RealModule

/// Maps a native value, which grows with evidence of a recapture, to a score and a verdict.
public struct Calibration: Codable, Hashable, Sendable {
  /// Native value without evidence either way: score 0.5.
  public var midpoint: Double
  /// Distance from the midpoint at which the score reaches 0.27 and 0.73; greater than 0.
  public var width: Double
  /// Native values from this one on are suspect.
  public var suspectFrom: Double
  /// Native values below this one are genuine; values in between are undecided.
  public var genuineBelow: Double
  public var version: String

  public init(midpoint: Double, width: Double, suspectFrom: Double, genuineBelow: Double, version: String) {
    self.midpoint = midpoint
    self.width = width
    self.suspectFrom = suspectFrom
    self.genuineBelow = genuineBelow
    self.version = version
  }

  /// Returns the outcome for a native value; a value that is not finite counts as not assessed.
  public func outcome(_ native: Double) -> SceneCheckResult.Outcome {
    guard native.isFinite, let score = Score(1 / (1 + Double.exp((native - midpoint) / width))) else {
      return .notAssessed(.nothingToMeasure)
    }
    let measure = Finding.Measure(native: native, score: score, calibration: version)
    let verdict: SceneCheckResult.Verdict =
      native >= suspectFrom ? .suspect : native < genuineBelow ? .genuine : .undecided
    return .assessed(SceneCheckResult.Assessment(measure: measure, verdict: verdict, threshold: suspectFrom))
  }
}
