internal import MienModel

/// Follows the motions of a ``MotionsTask``.
struct MotionsTracker: Hashable, Sendable {
  /// Lids follow a nodding head; after it they are given this long to come to rest.
  static let lidsRest = Interval.milliseconds(250)
  /// Degrees of yaw beyond which the eyes are not judged.
  static let judgedWithin: Float = 25

  private let steps: [MotionsTask.Step]
  private let settings: MotionsSettings
  private(set) var index = 0
  private(set) var mistakes = 0
  /// When the present motion is asked, or was, and may begin; nil before the first look. Without a pause that is when the
  /// motion before began: who sees the whole sequence begins the next one while the last still comes to rest.
  private var cueAt: Instant?
  private var now = Instant.zero
  private var nods = NodFinder()
  private var mouth = MouthFinder()
  private var blinks = BlinkCounter()
  private var lidsMovedAt: Instant?
  /// False for who has said that they cannot move their lids at will: then lids are nobody's mistake.
  private let asksForLids: Bool

  init(_ task: MotionsTask) {
    steps = task.steps
    settings = task.settings
    asksForLids = task.needs.contains(.eyelids)
  }

  /// The measures that this task's motions and those that must not be made need.
  static func measures(_ task: MotionsTask) -> FaceMeasures {
    task.needs.contains(.eyelids) ? [.pitch, .eyes, .jaw] : [.pitch, .jaw]
  }

  mutating func saw(_ look: TaskLook, _ events: inout TaskEvents) -> TrackerStep {
    now = look.at
    if cueAt == nil { cue(after: look.at, began: look.at) }
    let nod = nods.saw(look.pose.y, at: look.at, settings)
    let opening = mouth.saw(look.jaw, at: look.at, settings)
    if nods.isMoving || nod != nil { lidsMovedAt = look.at }
    var blink: BlinkCounter.Blink?
    if areLidsJudged(look) {
      blink = blinks.saw(look.eyes, at: look.at, settings.blink)
      if blinks.isNoPairOfEyes(settings.blink) { return .failed(.wrongMovement) }
    } else if !look.eyes.x.isNaN {
      blinks.forget(look.eyes, at: look.at)
    }
    if let nod, let step = done(.nod, began: nod, at: look.at, &events) { return step }
    if let opening, let step = done(.mouth, began: opening, at: look.at, &events) { return step }
    if let blink, let step = done(blink.isLong ? .closure : .blink, began: blink.began, at: look.at, &events) {
      return step
    }
    return isTooSlow ? .failed(.tooSlow) : .going
  }

  private func areLidsJudged(_ look: TaskLook) -> Bool {
    guard asksForLids, !look.eyes.x.isNaN, abs(look.pose.x) <= Self.judgedWithin else { return false }
    guard let lidsMovedAt else { return true }
    return look.at.since(lidsMovedAt) > Self.lidsRest
  }

  /// A motion was made: nil when the task goes on unimpressed.
  private mutating func done(
    _ motion: Motion, began: Instant, at: Instant, _ events: inout TaskEvents
  ) -> TrackerStep? {
    guard index < steps.count, let cueAt else { return nil }
    let isAsked = motion == steps[index].motion
    guard isAsked, began >= cueAt else {
      // People blink: a blink that was not asked says nothing.
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

  private mutating func cue(after at: Instant, began: Instant) {
    cueAt = steps[index].pause.map { at + $0 } ?? began
  }

  /// True when the present motion did not begin in time.
  private var isTooSlow: Bool {
    guard index < steps.count, let cueAt else { return false }
    let begun: Instant? =
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
  /// What is asked now; nil while the person waits for the next cue.
  var asked: Motion? {
    guard index < steps.count, let cueAt, now >= cueAt else { return nil }
    return steps[index].motion
  }
  /// All motions in their order, for a client to show at once.
  var sequence: [Motion] { steps.map(\.motion) }
  var progress: Float { Float(index) / Float(steps.count) }
}

extension MotionsTracker: Taped {
  mutating func pass(over tape: inout StateTape) {
    tape.pass(&index)
    tape.require((0...steps.count).contains(index))
    tape.pass(&mistakes)
    tape.pass(&cueAt)
    tape.pass(&now)
    tape.pass(&nods)
    tape.pass(&mouth)
    tape.pass(&blinks)
    tape.pass(&lidsMovedAt)
  }
}
