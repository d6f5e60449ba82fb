public import MienModel

/// Watches a session's observations without asking the person anything; a value, fed frame by frame.
///
/// It grows to about 10 KB with the frames, and hardly any frame allocates. What it found is asked for once, at the end;
/// asking sorts and fits and costs some tens of microseconds.
public struct PassiveWatch: Sendable {
  public let settings: PassiveSettings
  private var repetition: RepetitionWatch
  private var timing: FrameTimingWatch?
  private var movement: MovementWatch
  private var eyelids: EyelidWatch
  private var stretch: StretchWatch
  private var turnPlane: TurnPlaneWatch
  private var continuity: ContinuityWatch
  private var tones: ToneWatch

  /// A watch that has seen nothing.
  public init(settings: PassiveSettings) {
    self.settings = settings
    repetition = RepetitionWatch(settings.repetition)
    timing = settings.timing.map(FrameTimingWatch.init)
    movement = MovementWatch(settings.movement)
    eyelids = EyelidWatch(settings.eyelids)
    stretch = StretchWatch(settings.stretch)
    turnPlane = TurnPlaneWatch(settings.turnPlane)
    continuity = ContinuityWatch(settings.continuity)
    tones = ToneWatch(settings.tones)
  }

  /// Takes the next observation, in the order of arrival. A frame without exactly one plausible face counts for timing only.
  public mutating func saw(_ observation: FaceObservation) {
    timing?.saw(observation.at)
    guard let glimpse = FaceGlimpse(observation) else {
      movement.interrupt()
      eyelids.interrupt()
      return
    }
    repetition.saw(glimpse)
    movement.saw(glimpse)
    eyelids.saw(glimpse)
    stretch.saw(glimpse)
    turnPlane.saw(glimpse, observation)
    continuity.saw(glimpse)
    tones.saw(glimpse, observation.tones)
  }

  /// One finding a check, in a fixed order; `frame-timing` only where the settings have it.
  public var findings: [Finding] {
    var findings = [
      turnPlane.finding, stretch.finding, repetition.finding, movement.stillness, movement.jerkiness, eyelids.finding,
      continuity.finding, tones.finding,
    ]
    if let timing { findings.append(timing.finding) }
    return findings
  }

  /// What the findings come to together.
  public var assessment: PassiveAssessment { PassiveAssessment(findings) }
}

extension PassiveWatch: CustomStringConvertible, CustomReflectable {
  public var description: String { "PassiveWatch(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PassiveWatch: Taped {
  /// The settings are not on the tape: whoever reads has made a watch with the same ones.
  public mutating func pass(over tape: inout StateTape) {
    tape.pass(&repetition)
    if var timing {
      tape.pass(&timing)
      self.timing = timing
    }
    tape.pass(&movement)
    tape.pass(&eyelids)
    tape.pass(&stretch)
    tape.pass(&turnPlane)
    tape.pass(&continuity)
    tape.pass(&tones)
  }
}
