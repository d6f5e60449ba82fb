internal import MienAPI

/// How the frames of a check came to an end.
enum SessionEnd {
  /// The server decided.
  case decided(StepResponse)
  /// The server will not go on, or is not there.
  case refused(ClientError)
  /// The camera gave no frames.
  case noFrames
  /// There was no session to be had.
  case noSession
}

extension SessionEnd {
  /// What the app is told; nil when the person passed.
  var error: LivenessError? {
    switch self {
    case .decided(let step) where step.state == "passed": nil
    case .decided(let step):
      LivenessError(
        key: Self.key(ofReason: step.reason),
        message: "The check ended as \(step.state)\(step.reason.map { " (\($0))" } ?? "").")
    case .refused(let error): LivenessError(key: Self.key(of: error.code), message: error.detail)
    case .noFrames: LivenessError(key: .imageCaptureFailed, message: "The camera gives no frames.")
    case .noSession: LivenessError(key: .sessionTokenError, message: "The backend gave no session.")
    }
  }

  /// The stable code behind the key.
  var reason: String? {
    switch self {
    case .decided(let step): step.reason
    case .refused(let error): error.code.text
    case .noFrames: "no-frames"
    case .noSession: "no-session"
    }
  }

  /// The key for a reason of the server's; what is neither the session's nor the picture's fault is the task's.
  static func key(ofReason reason: String?) -> LivenessError.Key {
    switch reason {
    case "expired": .invalidOrExpiredSession
    case "eyes-closed": .eyesClosed
    case "no-face", "face-lost", "not-measured", "image-capture-failed", "timestamps-backwards",
      "too-many-observations":
      .imageCaptureFailed
    default: .taskFailed
    }
  }

  /// The key for a refusal.
  static func key(of code: ClientError.Code) -> LivenessError.Key {
    switch code {
    case .unauthorized, .forbidden: .sessionTokenError
    case .tokenExpired, .notFound, .checkOver, .secondClient: .invalidOrExpiredSession
    case .notAImage, .imageTooLarge, .bodyTooLarge: .imageCaptureFailed
    default: .apiError
    }
  }
}
