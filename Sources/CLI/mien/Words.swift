import MienCore

extension UnavailableReason {
  /// Text for the terminal.
  var words: String {
    switch self {
    case .modelUnavailable(let what): "\(what) is missing or does not load."
    case .noFace: "No face was seen."
    case .severalFaces(let count): "\(count) faces were seen; one is needed."
    case .noDepth: "There is no depth."
    case .notEnrolled: "The person is not enrolled."
    case .tooFewFrames(let count): "\(count) usable frames are too few."
    case .tooLittleValidDepth: "Too little of the face has a usable depth."
    }
  }
}
