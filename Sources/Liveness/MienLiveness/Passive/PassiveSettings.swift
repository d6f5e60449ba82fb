/// Settings of the passive detectors for a session's observations. Every component validates its own values.
public struct PassiveSettings: Hashable, Sendable {
  /// Version reported in findings; change it whenever a default changes.
  public static let version = "passive-2"

  public let repetition: RepetitionSettings
  /// Timing settings; `nil` if the instants are not the receiver's own (a recording), in which case there is no timing finding.
  public let timing: FrameTimingSettings?
  public let movement: MovementSettings
  public let eyelids: EyelidSettings
  public let stretch: StretchSettings
  public let turnPlane: TurnPlaneSettings
  public let continuity: ContinuitySettings
  public let tones: ToneSettings

  public init(
    repetition: RepetitionSettings, timing: FrameTimingSettings?, movement: MovementSettings, eyelids: EyelidSettings,
    stretch: StretchSettings, turnPlane: TurnPlaneSettings, continuity: ContinuitySettings,
    tones: ToneSettings
  ) {
    self.repetition = repetition
    self.timing = timing
    self.movement = movement
    self.eyelids = eyelids
    self.stretch = stretch
    self.turnPlane = turnPlane
    self.continuity = continuity
    self.tones = tones
  }

  /// Defaults for a live session.
  public static let live = standard(timing: FrameTimingSettings())
  /// Defaults for a recording, whose instants come from a file.
  public static let recording = standard(timing: nil)

  private static func standard(timing: FrameTimingSettings?) -> PassiveSettings {
    guard let repetition = RepetitionSettings(), let movement = MovementSettings(), let eyelids = EyelidSettings(),
      let stretch = StretchSettings(), let turnPlane = TurnPlaneSettings(), let continuity = ContinuitySettings(),
      let tones = ToneSettings()
    else { preconditionFailure("the defaults are within their own ranges") }
    return PassiveSettings(
      repetition: repetition, timing: timing, movement: movement, eyelids: eyelids, stretch: stretch,
      turnPlane: turnPlane, continuity: continuity, tones: tones)
  }
}
