internal import MienAPI

/// Reason why a check stopped sending frames.
enum SessionEnd {
  /// The server decided the check.
  case decided(StepResponse)
  /// The server rejected further frames or could not be reached.
  case refused(ClientError)
  /// The camera delivered no frames.
  case noFrames
  /// No session could be obtained.
  case noSession
}

extension SessionEnd {
  /// Error to report to the app; `nil` if the check was passed.
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

  /// Stable code behind the key.
  var reason: String? {
    switch self {
    case .decided(let step): step.reason
    case .refused(let error): error.code.text
    case .noFrames: "no-frames"
    case .noSession: "no-session"
    }
  }

  /// Returns the key for one of the server's reasons: `taskFailed` for all that concern neither the session nor the
  /// image.
  static func key(ofReason reason: String?) -> LivenessError.Key {
    switch reason {
    case "expired": .invalidOrExpiredSession
    case "eyes-closed": .eyesClosed
    case "no-face", "frozen-camera", "face-lost", "not-measured", "image-capture-failed", "timestamps-backwards",
      "too-many-observations":
      .imageCaptureFailed
    default: .taskFailed
    }
  }

  /// Returns the key for an error code.
  static func key(of code: ClientError.Code) -> LivenessError.Key {
    switch code {
    case .unauthorized, .forbidden: .sessionTokenError
    case .tokenExpired, .notFound, .checkEnded, .secondClient: .invalidOrExpiredSession
    case .notAImage, .imageTooLarge, .bodyTooLarge: .imageCaptureFailed
    default: .apiError
    }
  }
}
