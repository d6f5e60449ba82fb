/// Why something could not be assessed. "Could not look" is never a number.
public enum UnavailableReason: Hashable, Sendable {
  /// A model file or the inference runtime is missing or does not load; `what` names the file or library.
  case modelUnavailable(String)
  /// No face was seen.
  case noFace
  /// More than one face was seen.
  case severalFaces(Int)
  /// The source brings no depth.
  case noDepth
  /// The person has no enrolment, so there are no thresholds of their own.
  case notEnrolled
  /// Too few usable frames or depth captures; how many there were.
  case tooFewFrames(Int)
  /// Too few depth samples on the face were valid.
  case tooLittleValidDepth

  /// A stable code for interfaces, for example `model-unavailable`.
  public var code: String {
    switch self {
    case .modelUnavailable: "model-unavailable"
    case .noFace: "no-face"
    case .severalFaces: "several-faces"
    case .noDepth: "no-depth"
    case .notEnrolled: "not-enrolled"
    case .tooFewFrames: "too-few-frames"
    case .tooLittleValidDepth: "too-little-valid-depth"
    }
  }
}
