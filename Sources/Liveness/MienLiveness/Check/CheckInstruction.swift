/// What the person shall do now; a code, never a sentence: the client words it.
public enum CheckInstruction: String, Hashable, Sendable, CaseIterable {
  case positionFace = "position-face"
  case holdStill = "hold-still"
  /// What is asked is known; read it.
  case getReady = "get-ready"
  /// Turn the head to the asked side.
  case turn = "turn"
  /// Turn back to the camera.
  case comeBack = "come-back"
  /// Do what the prompt shows: every task but a head turn.
  case perform = "perform"
  case done = "done"
}
