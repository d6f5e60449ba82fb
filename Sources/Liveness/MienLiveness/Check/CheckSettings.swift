public import MienCore

/// How a check flows. A value of this type is always sensible: the initialiser refuses nonsense.
public struct CheckSettings: Hashable, Sendable {
  public let headTurn: HeadTurnSettings
  public let gate: DepthGateSettings
  /// How long the person may read the instruction before tracking starts. 0…10 s.
  public let instructionPause: Interval
  /// How long a face is waited for when there is no depth gate to run. 1…120 s.
  public let faceWindow: Interval
  /// Well framed frames in a row after which the challenge starts, without depth. 1…100.
  public let framedFrames: Int

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    headTurn: HeadTurnSettings = .standard, gate: DepthGateSettings = .standard,
    instructionPause: Interval = .seconds(1), faceWindow: Interval = .seconds(15), framedFrames: Int = 3
  ) {
    guard (Interval.zero...Interval.seconds(10)).contains(instructionPause),
      (Interval.seconds(1)...Interval.seconds(120)).contains(faceWindow), (1...100).contains(framedFrames)
    else { return nil }
    self.headTurn = headTurn
    self.gate = gate
    self.instructionPause = instructionPause
    self.faceWindow = faceWindow
    self.framedFrames = framedFrames
  }

  /// The defaults.
  public static let standard: CheckSettings = {
    guard let settings = CheckSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
