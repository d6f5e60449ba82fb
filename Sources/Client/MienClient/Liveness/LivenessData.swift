/// What came of a check, for the app's screen. Whether somebody passed is for the backend to ask the server.
public struct LivenessData: Sendable {
  public var sessionId: String?
  /// The face as a `data:image/jpeg;base64,…` address: the last frame that the person was asked to hold still for; nil
  /// when no face was seen.
  public var faceImage: String?
  /// The clip; nil here, as the server makes it and gives it to the backend only.
  public var livenessClip: String?
  public var passed: Bool
  /// As it was given with the options.
  public var metadata: (any Sendable)?
  /// Only when it was not passed.
  public var error: LivenessError?
  /// The stable code of why it was not passed, finer than the error's key: `wrong-direction`, `no-face`, `busy`, ….
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
