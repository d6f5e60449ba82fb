public import MienCore

/// Settings for the flow of a liveness check. The initializer validates every value.
public struct CheckSettings: Hashable, Sendable {
  public let headTurn: HeadTurnSettings
  public let gate: DepthGateSettings
  /// Time between showing the instruction and the start of tracking, 0…10 s.
  public let instructionPause: Interval
  /// The same for a light task, whose announcement is longer and may be declined, 0…20 s.
  public let lightInstructionPause: Interval
  /// Maximum wait for a well-framed face when no depth gate runs, from the moment a face has been in view for `facePresence`, 1…120 s.
  public let faceWindow: Interval
  /// Time that a face must be in view before the face window opens, 0…10 s.
  public let facePresence: Interval
  /// Maximum wait for a face to be in view, 1…300 s.
  public let waitingLimit: Interval
  /// Maximum time in the face window for which the check waits for advice to be followed that a subject may be unable
  /// to follow, 0…120 s.
  public let adviceWindow: Interval
  /// Time after which a camera that only repeats its frames counts as frozen, 1…120 s.
  public let frozenLimit: Interval
  /// Number of consecutive well-framed frames after which the challenge starts without depth, 1…100.
  public let framedFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    headTurn: HeadTurnSettings = .standard, gate: DepthGateSettings = .standard,
    instructionPause: Interval = .seconds(1), lightInstructionPause: Interval = .milliseconds(2500),
    faceWindow: Interval = .seconds(15),
    facePresence: Interval = .seconds(1), waitingLimit: Interval = .seconds(30),
    adviceWindow: Interval = .seconds(8), frozenLimit: Interval = .seconds(5), framedFrames: Int = 3
  ) {
    let minutes = Interval.seconds(1)...Interval.seconds(120)
    guard (Interval.zero...Interval.seconds(10)).contains(instructionPause), minutes.contains(faceWindow),
      (Interval.zero...Interval.seconds(20)).contains(lightInstructionPause),
      (Interval.zero...Interval.seconds(10)).contains(facePresence),
      (Interval.seconds(1)...Interval.seconds(300)).contains(waitingLimit),
      (Interval.zero...Interval.seconds(120)).contains(adviceWindow), minutes.contains(frozenLimit),
      (1...100).contains(framedFrames)
    else { return nil }
    self.headTurn = headTurn
    self.gate = gate
    self.instructionPause = instructionPause
    self.lightInstructionPause = lightInstructionPause
    self.faceWindow = faceWindow
    self.facePresence = facePresence
    self.waitingLimit = waitingLimit
    self.adviceWindow = adviceWindow
    self.frozenLimit = frozenLimit
    self.framedFrames = framedFrames
  }

  /// Default settings.
  public static let standard: CheckSettings = {
    guard let settings = CheckSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}

/// Reason a liveness check failed.
public enum CheckFailure: Hashable, Sendable {
  /// No face was in view during the entire wait for one.
  case noFace
  /// The camera repeated its frames instead of sending new ones.
  case frozenCamera
  case headTurn(HeadTurnFailure)
  /// A task other than a head turn failed, or the face changed or was lost between two tasks.
  case task(TaskFailure)

  /// Stable wire code of the failure.
  public var code: String {
    switch self {
    case .noFace: "no-face"
    case .frozenCamera: "frozen-camera"
    case .headTurn(let failure): failure.rawValue
    case .task(let failure): failure.rawValue
    }
  }
}

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
