public import MienCore

/// Evaluates a session's observations without any action by the subject; a value type that processes one frame at a time.
///
/// It grows to about 10 KB, and few frames allocate memory. Read the findings once, at the end: computing them sorts and fits and takes
/// some tens of microseconds.
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

  /// Creates a monitor without observations.
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

  /// Processes the next observation, in order of arrival. A frame without exactly one plausible face is used for timing only.
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

  /// One finding per check, in a fixed order; `frame-timing` only if the settings include it.
  public var findings: [Finding] {
    var findings = [
      turnPlane.finding, stretch.finding, repetition.finding, movement.stillness, movement.jerkiness, eyelids.finding,
      continuity.finding, tones.finding,
    ]
    if let timing { findings.append(timing.finding) }
    return findings
  }

  /// Combined assessment of the findings.
  public var assessment: PassiveAssessment { PassiveAssessment(findings) }
}

extension PassiveSignalMonitor: CustomStringConvertible, CustomReflectable {
  public var description: String { "PassiveSignalMonitor(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PassiveSignalMonitor: BinaryStateCodable {
  /// The settings are not encoded: the decoding side must create the monitor with the same values.
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
