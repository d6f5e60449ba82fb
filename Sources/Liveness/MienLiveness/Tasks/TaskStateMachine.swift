public import MienCore

/// Evaluates one ``LivenessTask`` of any kind.
///
/// A value type without a clock or randomness: callers supply timestamps. Every task except the head turn begins with a short rest facing
/// the camera; all angles are relative to that pose. Processing a sample allocates nothing: capacity for events is reserved when tracking
/// begins. All instants must come from one clock. A tick only advances a verdict that the next sample would produce anyway.
public struct TaskStateMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// The prompt was shown; samples are not evaluated yet. Next: tracking.
    case issued
    /// Samples are evaluated and the time limit runs. Next: success, failed, timedOut.
    case tracking
    /// Final.
    case success
    /// Final.
    case failed(TaskFailure)
    /// Final.
    case timedOut(TaskFailure)
    /// Final: the task says nothing about the subject.
    case unavailable(UnavailableReason)
  }

  /// Result of a sample or a tick.
  public enum Step: Hashable, Sendable {
    /// The sample was ignored: not tracking, already over, not newer than the last sample, or from before tracking began.
    case ignored
    case inProgress
    case success
    case failed(TaskFailure)
    case timedOut(TaskFailure)
    case unavailable(UnavailableReason)
  }

  /// Tracker of the task. Replaced by `taken` while it is processing, to avoid a copy.
  enum Work: Sendable {
    case taken
    case headTurn(HeadTurnStateMachine)
    case circle(CircleTracker)
    case yesOrNo(YesOrNoTracker)
    case motions(MotionsTracker)
    case blink(BlinkTracker)
    case headPath(HeadPathTracker)
    case light(LightTracker)
  }

  /// Immutable values, stored separately to keep the state machine small.
  private final class Setup: Sendable {
    let task: LivenessTask
    let guards: FacePresenceSettings

    init(task: LivenessTask, guards: FacePresenceSettings) {
      self.task = task
      self.guards = guards
    }
  }

  private let setup: Setup

  /// Rest pose to which angles are relative.
  fileprivate enum Rest: Sendable {
    case sought(NeutralPoseDetector)
    case found(SIMD3<Float>)
  }
  public private(set) var state = State.issued
  private(set) var work: Work
  private var presence: FacePresenceMonitor
  private var rest = Rest.sought(NeutralPoseDetector())
  private var events: TaskEventLog?
  private var began = MonotonicInstant.zero
  private var ended: MonotonicInstant?

  public init(_ task: LivenessTask, guards: FacePresenceSettings = .standard) {
    setup = Setup(task: task, guards: guards)
    var needed: FaceMeasures = []
    switch task {
    case .headTurn(let task):
      var machine = HeadTurnStateMachine(side: task.side, settings: task.settings)
      machine.issue()
      work = .headTurn(machine)
    case .completeTheCircle(let task):
      work = .circle(CircleTracker(task))
      needed = .pitch
    case .yesOrNo(let task):
      work = .yesOrNo(YesOrNoTracker(task))
      needed = .roll
    case .motions(let task):
      work = .motions(MotionsTracker(task))
      needed = MotionsTracker.measures(task)
    case .blink(let task):
      work = .blink(BlinkTracker(task))
      needed = .eyes
    case .headPath(let task):
      work = .headPath(HeadPathTracker(task))
      needed = .pitch
    case .light(let task):
      work = .light(LightTracker(task))
      needed = .light
    }
    presence = FacePresenceMonitor(needed: needed, began: .zero)
  }

  public var task: LivenessTask { setup.task }

  /// Starts the time limit and accepts samples from `at` on. Has an effect only in the issued state.
  public mutating func beginTracking(at: MonotonicInstant) {
    guard state == .issued else { return }
    state = .tracking
    began = at
    if case .headTurn(var machine) = work {
      machine.beginTracking(at: at)
      work = .headTurn(machine)
    } else {
      presence = FacePresenceMonitor(needed: presence.needed, began: at)
      events = TaskEventLog(began: at)
    }
  }

  /// Instant at which time runs out; `nil` before tracking began.
  public var deadline: MonotonicInstant? { state == .issued ? nil : began + task.timeout }

  /// `true` in the four final states.
  public var isOver: Bool {
    switch state {
    case .issued, .tracking: false
    case .success, .failed, .timedOut, .unavailable: true
    }
  }

  // MARK: - Input

  /// Evaluates one sample.
  public mutating func process(_ sample: TaskSample) -> Step {
    guard state == .tracking else { return .ignored }
    if case .headTurn(var machine) = work {
      work = .taken
      let step = machine.process(sample.head)
      work = .headTurn(machine)
      return follow(step)
    }
    guard sample.at >= began || presence.lastSample != nil else { return .ignored }
    if let step = expire(at: sample.at) { return step }
    switch presence.admit(sample, setup.guards) {
    case .ignored: return .ignored
    case .nothing: return .inProgress
    case .failed(let failure): return end(.failed(failure), at: max(sample.at, began))
    case .face(let face): return evaluate(face, at: sample.at)
    }
  }

  /// Advances time without a frame: time may run out, or the face may count as lost.
  public mutating func tick(at now: MonotonicInstant) -> Step {
    guard state == .tracking else { return .ignored }
    if case .headTurn(var machine) = work {
      work = .taken
      let step = machine.tick(at: now)
      work = .headTurn(machine)
      return follow(step)
    }
    return expire(at: now) ?? .inProgress
  }

  private mutating func evaluate(_ face: TaskSample.Face, at: MonotonicInstant) -> Step {
    let neutral: SIMD3<Float>
    switch rest {
    case .found(let pose): neutral = pose
    case .sought(var finder):
      if let pose = finder.process(face.pose, at: at) {
        rest = .found(pose)
        events?.add(.settled, at: at)
      } else {
        rest = .sought(finder)
      }
      return .inProgress
    }
    let sample = TrackerSample(
      at: at, pose: face.pose - neutral, eyes: SIMD2(face.eyeBlinkLeft ?? .nan, face.eyeBlinkRight ?? .nan),
      jaw: face.jawOpen ?? .nan, light: face.light)
    switch track(sample) {
    case .going: return .inProgress
    case .done: return end(.success, at: at)
    case .failed(let failure): return end(.failed(failure), at: at)
    case .unavailable(let reason): return end(.unavailable(reason), at: at)
    }
  }

  private mutating func track(_ sample: TrackerSample) -> TrackerUpdate {
    guard var events else { return .going }
    self.events = nil
    defer { self.events = events }
    switch work {
    case .taken, .headTurn: return .going
    case .circle(var tracker):
      defer { work = .circle(tracker) }
      return tracker.process(sample)
    case .yesOrNo(var tracker):
      defer { work = .yesOrNo(tracker) }
      return tracker.process(sample, &events)
    case .motions(var tracker):
      defer { work = .motions(tracker) }
      return tracker.process(sample, &events)
    case .blink(var tracker):
      defer { work = .blink(tracker) }
      return tracker.process(sample, &events)
    case .headPath(var tracker):
      defer { work = .headPath(tracker) }
      return tracker.process(sample, &events)
    case .light(var tracker):
      defer { work = .light(tracker) }
      return tracker.process(sample)
    }
  }

  // MARK: - Verdicts

  /// Returns the verdict that is due by `now`, the earliest first, so that a late tick and an early one agree.
  private mutating func expire(at now: MonotonicInstant) -> Step? {
    let limit = began + task.timeout
    if let loss = presence.loss(by: now, before: limit, setup.guards) { return end(.failed(loss.because), at: loss.at) }
    guard now > limit else { return nil }
    return end(.timedOut(progress > 0 ? .notFinished : .timedOut), at: limit)
  }

  private mutating func end(_ verdict: State, at: MonotonicInstant) -> Step {
    state = verdict
    ended = at
    return switch verdict {
    case .issued, .tracking: .inProgress
    case .success: .success
    case .failed(let failure): .failed(failure)
    case .timedOut(let failure): .timedOut(failure)
    case .unavailable(let reason): .unavailable(reason)
    }
  }

  /// Ends the task when the subject declines it: it then says nothing about the subject. Has no effect after the verdict.
  public mutating func decline(at: MonotonicInstant) {
    guard !isOver else { return }
    _ = end(.unavailable(.declined), at: at)
  }

  private mutating func follow(_ step: HeadTurnStateMachine.Step) -> Step {
    switch step {
    case .ignored: return .ignored
    case .inProgress: return .inProgress
    case .success: state = .success
    case .failed(let failure): state = .failed(TaskFailure(failure))
    case .timedOut(let failure): state = .timedOut(TaskFailure(failure))
    }
    return switch state {
    case .issued, .tracking: .inProgress
    case .success: .success
    case .failed(let failure): .failed(failure)
    case .timedOut(let failure): .timedOut(failure)
    case .unavailable(let reason): .unavailable(reason)
    }
  }

  // MARK: - Output

  /// Current hint for the subject; `nil` if there is no problem.
  public var hint: FramingHint? {
    guard state == .tracking else { return nil }
    if case .headTurn(let machine) = work { return machine.hint }
    return presence.hint
  }

  /// Progress of the task, 0…1.
  public var progress: Float {
    if state == .success { return 1 }
    return switch work {
    case .taken: 0
    case .headTurn(let machine): machine.progress
    case .circle(let tracker): tracker.coverage
    case .yesOrNo(let tracker): tracker.progress
    case .motions(let tracker): tracker.progress
    case .blink(let tracker): tracker.progress
    case .headPath(let tracker): isSettled ? tracker.progress : 0
    case .light(let tracker): tracker.progress
    }
  }

  /// `true` once the rest pose is known, and always for a head turn.
  var isSettled: Bool {
    if case .headTurn = work { return true }
    if case .found = rest { return true }
    return false
  }

  /// Evidence of the verdict, or the evidence so far.
  public var evidence: TaskEvidence {
    if case .headTurn(let machine) = work {
      let turn = machine.evidence
      return TaskEvidence(
        kind: task.kind, events: [], samples: turn.outboundPath.count + turn.returnPath.count,
        faces: turn.outboundPath.count + turn.returnPath.count,
        native: turn.peakYaw.map { Double($0 * machine.side.yawSign) },
        duration: turn.duration, turn: turn)
    }
    let last = ended ?? presence.lastSample ?? began
    return TaskEvidence(
      kind: task.kind, events: events.map(\.list) ?? [], samples: presence.samples, faces: presence.faces,
      native: native,
      duration: last.since(began), turn: nil)
  }
}

extension TaskStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "TaskStateMachine(\(task.kind.rawValue), \(state), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskStateMachine: BinaryStateCodable {
  /// The task is not encoded: the decoding side must create the state machine with the same task.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&state)
    switch work {
    case .taken: break
    case .headTurn(var machine):
      coder.pass(&machine)
      work = .headTurn(machine)
    case .circle(var tracker):
      coder.pass(&tracker)
      work = .circle(tracker)
    case .yesOrNo(var tracker):
      coder.pass(&tracker)
      work = .yesOrNo(tracker)
    case .motions(var tracker):
      coder.pass(&tracker)
      work = .motions(tracker)
    case .blink(var tracker):
      coder.pass(&tracker)
      work = .blink(tracker)
    case .headPath(var tracker):
      coder.pass(&tracker)
      work = .headPath(tracker)
    case .light(var tracker):
      coder.pass(&tracker)
      work = .light(tracker)
    }
    coder.pass(&presence)
    coder.pass(&rest)
    coder.pass(&events)
    coder.pass(&began)
    coder.pass(&ended)
  }
}

extension TaskStateMachine.Rest: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    var (pose, finder) = (SIMD3<Float>?.none, NeutralPoseDetector())
    switch self {
    case .sought(let seeking): finder = seeking
    case .found(let found): pose = found
    }
    coder.pass(&pose)
    if pose == nil { coder.pass(&finder) }
    self = pose.map { .found($0) } ?? .sought(finder)
  }
}

extension TaskStateMachine.State: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, failure, obstacle) = (0, TaskFailure?.none, UnavailableReason.declined)
    switch self {
    case .issued: tag = 0
    case .tracking: tag = 1
    case .success: tag = 2
    case .failed(let why): (tag, failure) = (3, why)
    case .timedOut(let why): (tag, failure) = (4, why)
    case .unavailable(let why): (tag, obstacle) = (5, why)
    }
    coder.pass(&tag)
    coder.pass(choice: &failure)
    if tag == 5 { coder.pass(&obstacle) }
    switch (tag, failure) {
    case (0, nil): self = .issued
    case (1, nil): self = .tracking
    case (2, nil): self = .success
    case (3, let why?): self = .failed(why)
    case (4, let why?): self = .timedOut(why)
    case (5, nil): self = .unavailable(obstacle)
    default: coder.require(false)
    }
  }
}
