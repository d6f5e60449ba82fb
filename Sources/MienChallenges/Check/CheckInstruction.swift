/// What the person shall do now; a code, never a sentence: the client words it.
public enum CheckInstruction: String, Hashable, Sendable, CaseIterable {
  case positionFace = "position-face"
  case holdStill = "hold-still"
  /// The side is known; read it.
  case getReady = "get-ready"
  /// Turn the head to the asked side.
  case turn = "turn"
  /// Turn back to the camera.
  case comeBack = "come-back"
  case done = "done"
}
