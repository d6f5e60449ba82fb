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

/// A calibrated score in 0…1, where 1 is the strongest sign of a bona fide presentation.
public struct Score: Hashable, Comparable, Sendable {
  public let value: Double

  /// Returns `nil` for NaN and values outside 0…1: a missing measure is never a score.
  public init?(_ value: Double) {
    guard value >= 0, value <= 1 else { return nil }
    self.value = value
  }

  public static func < (left: Score, right: Score) -> Bool { left.value < right.value }
}

/// The reason why something could not be assessed. "Not assessed" is never expressed as a number.
public enum UnavailableReason: Hashable, Sendable {
  /// A model file or the inference runtime is missing or fails to load; the associated value names the file or library.
  case modelUnavailable(String)
  /// No face was detected.
  case noFace
  /// More than one face was detected.
  case severalFaces(Int)
  /// The source provides no depth.
  case noDepth
  /// The person is not enrolled, so there are no personal thresholds.
  case notEnrolled
  /// Too few usable frames or depth captures; the associated value is their number.
  case tooFewFrames(Int)
  /// Too few depth samples on the face were valid.
  case tooLittleValidDepth
  /// The screen adds too little light to the face, or the light around it changes too much.
  case tooLittleLight
  /// The person declined what was asked.
  case declined
  /// The check did not pass, so that the face was not compared.
  case notLive
  /// The template to compare with was deleted or replaced during the check.
  case templateDeleted
  /// The frames, or the face in them, have too few pixels.
  case imageTooSmall
  /// The frames are compressed too strongly.
  case imageTooCompressed

  /// A stable code for API responses, for example `model-unavailable`.
  public var code: String {
    switch self {
    case .modelUnavailable: "model-unavailable"
    case .noFace: "no-face"
    case .severalFaces: "several-faces"
    case .noDepth: "no-depth"
    case .notEnrolled: "not-enrolled"
    case .tooFewFrames: "too-few-frames"
    case .tooLittleValidDepth: "too-little-valid-depth"
    case .tooLittleLight: "too-little-light"
    case .declined: "declined"
    case .notLive: "not-live"
    case .templateDeleted: "template-deleted"
    case .imageTooSmall: "image-too-small"
    case .imageTooCompressed: "image-too-compressed"
    }
  }
}
