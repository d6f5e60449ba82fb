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
    }
  }
}
