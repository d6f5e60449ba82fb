internal import MienCore

/// Settings of the passive detectors for a session's observations. Every component validates its own values.
public struct PassiveSettings: Hashable, Sendable {
  /// Version reported in findings; change it whenever a default changes.
  public static let version = "passive-7"

  public let repetition: RepetitionSettings
  /// Timing settings; `nil` if the instants are not the receiver's own (a recording), in which case there is no timing finding.
  public let timing: FrameTimingSettings?
  public let movement: MovementSettings
  public let eyelids: EyelidSettings
  public let stretch: StretchSettings
  public let turnPlane: TurnPlaneSettings
  public let continuity: ContinuitySettings
  public let screenOrPrint: ScreenOrPrintSettings
  public let cuts: CutSettings

  public init(
    repetition: RepetitionSettings, timing: FrameTimingSettings?, movement: MovementSettings, eyelids: EyelidSettings,
    stretch: StretchSettings, turnPlane: TurnPlaneSettings, continuity: ContinuitySettings,
    screenOrPrint: ScreenOrPrintSettings, cuts: CutSettings
  ) {
    self.repetition = repetition
    self.timing = timing
    self.movement = movement
    self.eyelids = eyelids
    self.stretch = stretch
    self.turnPlane = turnPlane
    self.continuity = continuity
    self.screenOrPrint = screenOrPrint
    self.cuts = cuts
  }

  /// Defaults for a live session.
  public static let live = standard(timing: FrameTimingSettings())
  /// Defaults for a recording, whose instants come from a file.
  public static let recording = standard(timing: nil)

  private static func standard(timing: FrameTimingSettings?) -> PassiveSettings {
    guard let repetition = RepetitionSettings(), let movement = MovementSettings(), let eyelids = EyelidSettings(),
      let stretch = StretchSettings(), let turnPlane = TurnPlaneSettings(), let continuity = ContinuitySettings(),
      let screenOrPrint = ScreenOrPrintSettings(),
      let cuts = CutSettings()
    else { preconditionFailure("the defaults are within their own ranges") }
    return PassiveSettings(
      repetition: repetition, timing: timing, movement: movement, eyelids: eyelids, stretch: stretch,
      turnPlane: turnPlane, continuity: continuity, screenOrPrint: screenOrPrint, cuts: cuts)
  }
}

/// Piecewise linear map from a native measure to a score: 1 up to `calm`, ½ at `threshold`, 0 from `worst` on.
///
/// The three numbers increase if large values are suspect and decrease if small values are.
struct ScoreCalibration: Hashable, Sendable {
  let calm: Double
  let threshold: Double
  let worst: Double

  /// Reports whether the measure is at the threshold or on its suspect side.
  func isSuspect(_ native: Double) -> Bool { worst > calm ? native >= threshold : native <= threshold }

  /// Returns the finding for a measure. A measure that is not finite results in "not assessed".
  func finding(_ check: String, _ native: Double, because reason: String, version: String, frames: Int) -> Finding {
    let outward = (native - threshold) / (worst - threshold)
    let inward = (native - threshold) / (calm - threshold)
    let value = isSuspect(native) ? 0.5 - 0.5 * min(outward, 1) : 0.5 + 0.5 * min(inward, 1)
    guard native.isFinite, let score = Score(value) else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(frames)))
    }
    let measure = Finding.Measure(native: native, score: score, calibration: version)
    return Finding(check: check, result: isSuspect(native) ? .suspect(measure, because: reason) : .genuine(measure))
  }
}
