/// Result of a check for display in the app. The authoritative verdict is the one that the backend gets from the
/// server.
public struct LivenessData: Sendable {
  public var sessionId: String?
  /// Face image as a `data:image/jpeg;base64,…` URL: the last frame captured while the user was asked to hold still;
  /// `nil` if no face was detected.
  public var faceImage: String?
  /// Clip of the check; always `nil` here, because the server provides it only to the backend.
  public var livenessClip: String?
  public var passed: Bool
  /// Metadata from the options, unchanged.
  public var metadata: (any Sendable)?
  /// `nil` if the check was passed.
  public var error: LivenessError?
  /// Stable code of the failure, more specific than the error's key: `wrong-direction`, `no-face`, `busy`, ….
  public var reason: String?

  public init(
    sessionId: String?, faceImage: String?, livenessClip: String?, passed: Bool, metadata: (any Sendable)?,
    error: LivenessError?, reason: String?
  ) {
    self.sessionId = sessionId
    self.faceImage = faceImage
    self.livenessClip = livenessClip
    self.passed = passed
    self.metadata = metadata
    self.error = error
    self.reason = reason
  }
}

extension LivenessData: CustomStringConvertible, CustomReflectable {
  public var description: String { "LivenessData(\(passed ? "passed" : error?.key.rawValue ?? "not passed"))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
