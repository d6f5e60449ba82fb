public import MienCore

/// Watches a session's observations without asking the person anything; a value, fed frame by frame.
///
/// It grows to about 10 KB with the frames, and hardly any frame allocates. What it found is asked for once, at the end;
/// asking sorts and fits and costs some tens of microseconds.
public struct PassiveSignalMonitor: Sendable {
  public let settings: PassiveSettings
  private var repetition: ReplayDetector
  private var timing: FrameTimingDetector?
  private var movement: HeadMotionDetector
  private var eyelids: EyelidMotionDetector
  private var stretch: PlanarStretchDetector
  private var turnPlane: PlanarTurnDetector
  private var continuity: FaceSwapDetector
  private var tones: LandmarkToneDetector

  /// A watch that has seen nothing.
  public init(settings: PassiveSettings) {
    self.settings = settings
    repetition = ReplayDetector(settings.repetition)
    timing = settings.timing.map(FrameTimingDetector.init)
    movement = HeadMotionDetector(settings.movement)
    eyelids = EyelidMotionDetector(settings.eyelids)
    stretch = PlanarStretchDetector(settings.stretch)
    turnPlane = PlanarTurnDetector(settings.turnPlane)
    continuity = FaceSwapDetector(settings.continuity)
    tones = LandmarkToneDetector(settings.tones)
  }

  /// Takes the next observation, in the order of arrival. A frame without exactly one plausible face counts for timing only.
  public mutating func process(_ observation: FaceObservation) {
    timing?.process(observation.at)
    guard let glimpse = FaceFeatures(observation) else {
      movement.interrupt()
      eyelids.interrupt()
      return
    }
    repetition.process(glimpse)
    movement.process(glimpse)
    eyelids.process(glimpse)
    stretch.process(glimpse)
    turnPlane.process(glimpse, observation)
    continuity.process(glimpse)
    tones.process(glimpse, observation.tones)
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

extension PassiveSignalMonitor: CustomStringConvertible, CustomReflectable {
  public var description: String { "PassiveWatch(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PassiveSignalMonitor: BinaryStateCodable {
  /// The settings are not on the tape: whoever reads has made a watch with the same ones.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&repetition)
    if var timing {
      coder.pass(&timing)
      self.timing = timing
    }
    coder.pass(&movement)
    coder.pass(&eyelids)
    coder.pass(&stretch)
    coder.pass(&turnPlane)
    coder.pass(&continuity)
    coder.pass(&tones)
  }
}
