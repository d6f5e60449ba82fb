/// What one check found: a measure with its calibrated score, or why it could not look.
public struct Finding: Hashable, Sendable {
  /// The check's stable name, for example `depth-gate` or `head-turn`.
  public let check: String
  public let result: Result

  public enum Result: Hashable, Sendable {
    /// Signs of a bona fide presentation.
    case genuine(Measure)
    /// Signs of an attack or of a task not done; `because` is a stable reason code.
    case suspect(Measure, because: String)
    case notAssessed(UnavailableReason)
  }

  /// A native measure and what a versioned calibration made of it; both are kept, so that recalibrating needs no pixels.
  public struct Measure: Hashable, Sendable {
    /// The value in the check's own unit (the check's documentation names it).
    public let native: Double
    public let score: Score
    /// Version of the calibration or of the settings that made `score`.
    public let calibration: String

    public init(native: Double, score: Score, calibration: String) {
      self.native = native
      self.score = score
      self.calibration = calibration
    }
  }

  public init(check: String, result: Result) {
    self.check = check
    self.result = result
  }
}
