public import MienCore

/// Evaluates a session's observations without any action by the subject; a value type that processes one frame at a time.
///
/// It grows to about 10 KB, and few frames allocate memory. Read the findings once, at the end: computing them sorts and fits and takes
/// some tens of microseconds.
public struct PassiveSignalMonitor: Sendable {
  public let settings: PassiveSettings
  /// Frames per second below which the signals that compare consecutive frames are not assessed: their error rates are
  /// not known there, and a quick movement looks like another face.
  public static let minimumFrameRate = 9.0

  private var rate = FrameRate()
  private var repetition: ReplayDetector
  private var timing: FrameTimingDetector?
  private var movement: HeadMotionDetector
  private var eyelids: EyelidMotionDetector
  private var stretch: PlanarStretchDetector
  private var turnPlane: PlanarTurnDetector
  private var continuity: FaceSwapDetector
  private var screenOrPrint: ScreenOrPrintDetector
  private var cuts: RecordingCutDetector

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
    screenOrPrint = ScreenOrPrintDetector(settings.screenOrPrint)
    cuts = RecordingCutDetector(settings.cuts)
  }

  /// Processes the next observation. A frame without exactly one plausible face is used for timing only.
  ///
  /// - Parameters:
  ///   - observation: the tracker's observation of the frame.
  ///   - arrived: time of the frame's arrival; `nil` if it is the time of the observation.
  public mutating func process(_ observation: FaceObservation, arrived: MonotonicInstant? = nil) {
    timing?.process(arrived ?? observation.at)
    rate.process(observation.at)
    guard let features = FaceFeatures(observation) else {
      movement.interrupt()
      eyelids.interrupt()
      return
    }
    repetition.process(features)
    movement.process(features)
    eyelids.process(features)
    stretch.process(features)
    turnPlane.process(features, observation)
    continuity.process(features)
    screenOrPrint.process(observation.recapture)
    cuts.process(features, picture: observation.fingerprint)
  }

  /// Marks that the prompt has asked for another movement since the frame of this time. Call it after that frame was
  /// processed, and before the next one.
  public mutating func promptChanged(at time: MonotonicInstant) { cuts.promptChanged(at: time) }

  /// One finding per check, in a fixed order; `frame-timing` only if the settings include it.
  public var findings: [Finding] {
    var findings = [
      turnPlane.finding, stretch.finding, repetition.finding, movement.stillness, movement.jerkiness,
      atFrameRate(eyelids.finding), atFrameRate(continuity.finding),
      screenOrPrint.finding,
      atFrameRate(
        cuts.finding(isFullRate: !rate.isBelow(RecordingCutDetector.fullFrameRate)),
        RecordingCutDetector.minimumFrameRate),
    ]
    if let timing { findings.append(timing.finding) }
    return findings
  }

  /// Returns a finding that depends on the frame rate, as not assessed if the rate is too low for it.
  private func atFrameRate(_ finding: Finding, _ minimum: Double = minimumFrameRate) -> Finding {
    if case .notAssessed = finding.result { return finding }
    guard rate.isBelow(minimum) else { return finding }
    return Finding(check: finding.check, result: .notAssessed(.tooFewFrames(rate.frames)))
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
    coder.pass(&rate)
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
    coder.pass(&screenOrPrint)
    coder.pass(&cuts)
  }
}

/// Rate of a session's frames, over all intervals in which the camera was not interrupted.
struct FrameRate: Sendable {
  /// Longest interval that counts; longer ones are interruptions.
  private static let longest = 1.0
  /// Number of intervals from which the rate is meaningful.
  private static let minimumIntervals = 8

  private var last: MonotonicInstant?
  private var intervals = 0
  private var seconds = 0.0

  mutating func process(_ at: MonotonicInstant) {
    if let last {
      let interval = at.since(last).inSeconds
      if interval >= 0, interval <= Self.longest {
        intervals += 1
        seconds += interval
      }
    }
    last = at
  }

  /// Number of frames that the rate rests on.
  var frames: Int { intervals + 1 }

  /// Returns `true` if the session has fewer frames per second than `rate`.
  func isBelow(_ rate: Double) -> Bool {
    intervals >= Self.minimumIntervals && Double(intervals) < rate * seconds
  }
}

extension FrameRate: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&last)
    coder.pass(&intervals)
    coder.pass(&seconds)
  }
}
