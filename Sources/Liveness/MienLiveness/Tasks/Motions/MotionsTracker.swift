internal import MienCore

/// Tracks the motions of a ``MotionsTask``.
struct MotionsTracker: Hashable, Sendable {
  /// Time for the eyelids to settle after a nod, because they follow the head.
  static let lidsRest = Interval.milliseconds(250)
  /// Degrees of yaw beyond which the eyes are not evaluated.
  static let judgedWithin: Float = 25

  private let steps: [MotionsTask.Step]
  private let settings: MotionsSettings
  private(set) var index = 0
  private(set) var mistakes = 0
  /// Earliest time at which the current motion may begin; `nil` before the first sample. Without a pause, it is the
  /// time at which the motion before began: a subject who sees the whole sequence begins the next motion before the
  /// last one has ended.
  private var cueAt: MonotonicInstant?
  private var now = MonotonicInstant.zero
  private var nods = NodDetector()
  private var mouth = MouthOpenDetector()
  private var blinks = BlinkDetector()
  private var lidsMovedAt: MonotonicInstant?
  /// `false` if the task requires no eyelid motion, because the subject cannot move the eyelids at will: eyelid motion is then not
  /// evaluated.
  private let asksForLids: Bool

  init(_ task: MotionsTask) {
    steps = task.steps
    settings = task.settings
    asksForLids = task.needs.contains(.eyelids)
  }

  /// Returns the measures required for the task's motions and for detecting unrequested ones.
  static func measures(_ task: MotionsTask) -> FaceMeasures {
    task.needs.contains(.eyelids) ? [.pitch, .eyes, .jaw] : [.pitch, .jaw]
  }

  mutating func process(_ sample: TrackerSample, _ events: inout TaskEventLog) -> TrackerUpdate {
    now = sample.at
    if cueAt == nil { cue(after: sample.at, began: sample.at) }
    let nod = nods.process(sample.pose.y, at: sample.at, settings)
    let opening = mouth.process(sample.jaw, at: sample.at, settings)
    if nods.isMoving || nod != nil { lidsMovedAt = sample.at }
    var blink: BlinkDetector.Blink?
    if areLidsJudged(sample) {
      blink = blinks.process(sample.eyes, at: sample.at, settings.blink)
      if blinks.isNoPairOfEyes(settings.blink) { return .failed(.wrongMovement) }
    } else if !sample.eyes.x.isNaN {
      blinks.remove(sample.eyes, at: sample.at)
    }
    if let nod, let step = done(.nod, began: nod, at: sample.at, &events) { return step }
    if let opening, let step = done(.mouth, began: opening, at: sample.at, &events) { return step }
    if let blink, let step = done(blink.isLong ? .closure : .blink, began: blink.began, at: sample.at, &events) {
      return step
    }
    return isTooSlow ? .failed(.tooSlow) : .going
  }

  private func areLidsJudged(_ sample: TrackerSample) -> Bool {
    guard asksForLids, !sample.eyes.x.isNaN, abs(sample.pose.x) <= Self.judgedWithin else { return false }
    guard let lidsMovedAt else { return true }
    return sample.at.since(lidsMovedAt) > Self.lidsRest
  }

  /// Handles a completed motion. Returns `nil` if the task continues.
  private mutating func done(
    _ motion: Motion, began: MonotonicInstant, at: MonotonicInstant, _ events: inout TaskEventLog
  ) -> TrackerUpdate? {
    guard index < steps.count, let cueAt else { return nil }
    let isAsked = motion == steps[index].motion
    guard isAsked, began >= cueAt else {
      // People blink spontaneously, so an unrequested blink is ignored.
      if motion == .blink { return nil }
      mistakes += 1
      return mistakes > settings.forgiven ? .failed(isAsked ? .tooEarly : .wrongMotion) : nil
    }
    events.add(.motion(motion), at: at)
    index += 1
    guard index < steps.count else { return .done }
    cue(after: at, began: began)
    return nil
  }

  private mutating func cue(after at: MonotonicInstant, began: MonotonicInstant) {
    cueAt = steps[index].pause.map { at + $0 } ?? began
  }

  /// `true` if the current motion did not begin in time.
  private var isTooSlow: Bool {
    guard index < steps.count, let cueAt else { return false }
    let begun: MonotonicInstant? =
      switch steps[index].motion {
      case .nod: nods.movingSince
      case .blink, .closure: blinks.closedSince
      case .mouth: mouth.openSince
      }
    let limit = cueAt + (steps[index].pause == nil ? settings.start : settings.response)
    if let begun, begun >= cueAt, begun <= limit { return false }
    return now > limit
  }

  var count: Int { steps.count }
  /// Motion requested now; `nil` while waiting for the next cue.
  var asked: Motion? {
    guard index < steps.count, let cueAt, now >= cueAt else { return nil }
    return steps[index].motion
  }
  /// All motions in their order, for a client to show at once.
  var sequence: [Motion] { steps.map(\.motion) }
  var progress: Float { Float(index) / Float(steps.count) }
}

extension MotionsTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&index)
    coder.require((0...steps.count).contains(index))
    coder.pass(&mistakes)
    coder.pass(&cueAt)
    coder.pass(&now)
    coder.pass(&nods)
    coder.pass(&mouth)
    coder.pass(&blinks)
    coder.pass(&lidsMovedAt)
  }
}
