/// The result of one check: a measure with its calibrated score, or the reason why nothing could be assessed.
public struct Finding: Hashable, Sendable {
  /// The check's stable name, for example `depth-gate` or `head-turn`.
  public let check: String
  public let result: Result

  public enum Result: Hashable, Sendable {
    /// Signs of a bona fide presentation.
    case genuine(Measure)
    /// Signs of an attack or of an uncompleted task; `because` is a stable reason code.
    case suspect(Measure, because: String)
    case notAssessed(UnavailableReason)
  }

  /// A native measure and its score under a versioned calibration; both are stored, so that recalibrating needs no
  /// pixels.
  public struct Measure: Hashable, Sendable {
    /// The value in the check's own unit, which the check's documentation states.
    public let native: Double
    public let score: Score
    /// Version of the calibration or settings that produced `score`.
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
