/// Instruction for the subject, sent as a code; the client supplies the localized text.
public enum CheckInstruction: String, Hashable, Sendable, CaseIterable {
  case positionFace = "position-face"
  case holdStill = "hold-still"
  /// The task is known: read the instruction.
  case getReady = "get-ready"
  /// Turn the head to the requested side.
  case turn = "turn"
  /// Turn back to the camera.
  case comeBack = "come-back"
  /// Perform the action shown by the prompt; used for every task except a head turn.
  case perform = "perform"
  case done = "done"
}
