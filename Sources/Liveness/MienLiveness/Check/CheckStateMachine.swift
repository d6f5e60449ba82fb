public import MienCore

/// State machine of one liveness check: a depth window first, then, if depth does not decide the check, one task after another. The plan
/// is a single head turn unless another plan is given.
///
/// A value type without a clock, randomness, or user-facing text: callers supply samples and timestamps. The check waits for a face from
/// the first sample or tick on; the face window opens when a face has been in view for a moment, and closes when it is lost. Expiring an
/// abandoned check is the service's responsibility. All instants must come from one clock. Depth captures and samples may interleave in
/// any order, but each stream must be in chronological order.
public struct CheckStateMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// No face yet, or not well framed. Next: depth, instructing, passed, failed.
    case positioning
    /// A face was seen and the depth window is open. Next: instructing, passed, failed.
    case depth
    /// The instruction is displayed. Next: tracking, failed. If the face is lost or frames stop arriving, the first task falls back to
    /// positioning; later tasks fail, so that one person cannot replace another between two tasks.
    case instructing
    /// A task is being evaluated. Next: instructing (the next task), passed, failed, timedOut.
    case tracking
    /// Final.
    case passed
    /// Final.
    case failed(CheckFailure)
    /// Final.
    case timedOut(TaskFailure)
  }

  public private(set) var state = State.positioning
  public let settings: CheckSettings
  /// Depth gate of this check.
  public private(set) var gate: DepthGateStateMachine
  public let plan: TaskPlan
  /// `true` if depth that passes the gate passes the check; otherwise the tasks are required in any case.
  public let depthDecides: Bool
  /// Current task, or the last one after the check ends.
  public private(set) var current: TaskStateMachine
  /// Number of completed tasks.
  public private(set) var tasksDone = 0
  /// `true` if the current task was replaced by its alternative.
  private var isReplaced = false
  /// Evidence and findings of the completed and replaced tasks.
  private var settled: [TaskOutcome] = []
  /// `true` once the current task has been disclosed to the client; never reset.
  private var isTaskKnown = false
  /// Last face box since the first task was completed; `nil` if the source reports no boxes.
  private var lastBox: FaceBox?

  /// Start of the depth window.
  private var windowStart: MonotonicInstant?
  /// Start of the wait for a face.
  private var waitingSince = MonotonicInstant.zero
  /// Start of the current presence of a face; short losses do not end it.
  private var seenSince: MonotonicInstant?
  /// Start of the face window; `nil` until a face has been in view for a moment.
  private var clockStart: MonotonicInstant?
  /// First of the last frames if all of them repeat earlier frames.
  private var repeatedSince: MonotonicInstant?
  private var now = MonotonicInstant.zero
  private var lastSample: MonotonicInstant?
  private var faceSeen = false
  private var isFaceInView = false
  /// Number of faces in view if there is more than one; otherwise 0.
  private var others = 0
  private var framed = 0
  private var instructedAt = MonotonicInstant.zero
  private var missingSince: MonotonicInstant?
  private var isAlone: Bool { others == 0 }
  private var lastHints = FramingHintSet()

  /// Creates a check with a single head turn.
  ///
  /// - Parameters:
  ///   - side: Side to turn to if a turn is needed; chosen in advance with ``HeadTurnChallenge/choose(using:)``.
  ///   - depth: Reference data of the depth gate.
  ///   - depthDecides: `false` to require the turn even if the depth gate passes.
  ///   - settings: Thresholds of all parts.
  public init(side: Side, depth: DepthReference, depthDecides: Bool = true, settings: CheckSettings = .standard) {
    let turn = HeadTurnTask(side: side, settings: settings.headTurn, isChosen: true)
    self.init(plan: TaskPlan(.headTurn(turn)), depth: depth, depthDecides: depthDecides, settings: settings)
  }

  /// Creates a check with a task plan.
  ///
  /// - Parameters:
  ///   - plan: Tasks to perform if they are needed; chosen in advance.
  ///   - depth: Reference data of the depth gate.
  ///   - depthDecides: `false` to require the tasks even if the depth gate passes.
  ///   - settings: Thresholds of all parts.
  public init(plan: TaskPlan, depth: DepthReference, depthDecides: Bool = true, settings: CheckSettings = .standard) {
    self.settings = settings
    self.plan = plan
    self.depthDecides = depthDecides
    self.gate = DepthGateStateMachine(basis: depth, settings: settings.gate)
    self.current = TaskStateMachine(plan.tasks[0])
  }

  /// `true` if depth alone passed the check without any task.
  public var isPassedByDepth: Bool { state == .passed && tasksDone == 0 }

  /// `true` in the three final states.
  public var isOver: Bool {
    switch state {
    case .positioning, .depth, .instructing, .tracking: false
    case .passed, .failed, .timedOut: true
    }
  }

  // MARK: - Input

  /// Processes a frame that provides only the yaw of the head. This is sufficient for head turns; every other task rejects it.
  public mutating func process(_ sample: HeadSample, hints: [FramingHint]) {
    process(TaskSample(sample), hints: hints)
  }

  /// Processes one frame: the face sample and the hints that ``FramingAdvice`` returned for the frame.
  public mutating func process(_ sample: TaskSample, hints: [FramingHint]) {
    guard !isOver else { return }
    if let lastSample {
      if sample.at < lastSample {
        if state == .tracking { follow(current.process(sample)) } else { end(.failed(failure(.timestampsBackwards))) }
        return
      }
      if sample.at == lastSample { return }
    }
    tick(at: sample.at)
    guard !isOver else { return }
    lastSample = sample.at
    repeatedSince = nil
    lastHints = FramingHintSet(hints)
    isFaceInView = false
    others = 0
    var box: FaceBox?
    switch sample.sight {
    case .face(let face):
      isFaceInView = true
      box = face.box
    case .severalFaces(let count): others = count
    case .noFace: break
    }
    if isFaceInView {
      missingSince = nil
      faceSeen = true
      if seenSince == nil { seenSince = sample.at }
    } else if missingSince == nil {
      missingSince = sample.at
    }
    if isFaceInView {
      if tasksDone > 0, !continues(box) { return }
      lastBox = box
    }
    switch state {
    case .positioning, .depth: position(at: sample.at)
    case .instructing:
      // Tracking starts only with a face in view, so that the time limit does not run while the subject is absent.
      guard isFaceInView, sample.at >= pauseEnd else { return }
      state = .tracking
      current.beginTracking(at: sample.at)
      follow(current.process(sample))
    case .tracking: follow(current.process(sample))
    case .passed, .failed, .timedOut: break
    }
  }

  /// Processes a frame that repeats an earlier one of this check: it shows nothing new, but time passes.
  public mutating func processRepetition(at instant: MonotonicInstant) {
    guard !isOver else { return }
    if repeatedSince == nil { repeatedSince = instant }
    tick(at: instant)
  }

  /// Processes the measurement of one depth capture.
  ///
  /// - Parameters:
  ///   - depth: Measurement of the capture.
  ///   - at: Time at which the capture arrived.
  ///   - advancesTime: `false` while an earlier frame is being analyzed, which may show the face: its absence must not be concluded from
  ///     the time of a capture.
  public mutating func process(depth: DepthMeasurementResult, at: MonotonicInstant, advancesTime: Bool = true) {
    guard !isOver else { return }
    if advancesTime { tick(at: at) }
    guard !isOver, gate.state == .watching, at <= gate.deadline else { return }
    // With several faces in view, the depth cannot be attributed to one of them.
    gate.process(others > 0 ? .notAssessed(.severalFaces(others)) : depth, at: at)
    if gate.state == .passed, depthDecides { end(.passed) }
  }

  /// Advances time: closes windows, ends the instruction pause, and detects face loss.
  public mutating func tick(at instant: MonotonicInstant) {
    guard !isOver else { return }
    if windowStart == nil { openWindow(at: instant) }
    now = max(now, instant)
    switch state {
    case .positioning, .depth:
      if let repeatedSince, instant > repeatedSince + settings.frozenLimit { return end(.failed(.frozenCamera)) }
      followPresence(until: instant)
      let (closing, isDepthWindow) = (windowEnd, gate.state == .watching)
      gate.tick(at: instant)
      guard instant > closing else { return }
      if isDepthWindow, !faceSeen {
        state = .positioning  // the wait for a face continues without depth
      } else if clockStart != nil || isDepthWindow || seenSince != nil {
        instruct(at: closing)
      } else {
        return end(.failed(.noFace))
      }
      // The window may have closed long before this tick.
      tick(at: instant)
    case .instructing:
      var loss = max(lastSample ?? instructedAt, instructedAt) + settings.headTurn.silenceGrace
      if let missingSince { loss = min(loss, missingSince + settings.headTurn.faceLossGrace) }
      guard instant > loss else { return }
      guard tasksDone == 0 else {
        end(.failed(failure(isAlone ? .faceLost : .severalFaces)))
        return
      }
      openWindow(at: loss)
      tick(at: instant)
    case .tracking: follow(current.tick(at: instant))
    case .passed, .failed, .timedOut: break
    }
  }

  /// `true` if ``decline(at:)`` replaces the current task.
  public var canDecline: Bool {
    guard !isReplaced, plan.alternatives[position.index] != nil else { return false }
    return state == .instructing || state == .tracking
  }

  /// `true` if the next frame may be evaluated for the light on the face.
  public var measuresLight: Bool {
    guard case .light = current.task else { return false }
    return state == .instructing || state == .tracking
  }

  /// Replaces the current task by its alternative when the subject declines it. Has no effect unless ``canDecline``.
  public mutating func decline(at instant: MonotonicInstant) {
    tick(at: instant)
    guard canDecline else { return }
    current.decline(at: instant)
    replace()
  }

  // MARK: - Positioning

  private mutating func openWindow(at instant: MonotonicInstant) {
    gate.begin(at: instant)
    windowStart = instant
    wait(from: instant)
    state = .positioning
    faceSeen = false
    framed = 0
  }

  private mutating func wait(from instant: MonotonicInstant) {
    waitingSince = instant
    seenSince = nil
    clockStart = nil
  }

  /// Opens the face window when a face has been in view for a moment, and closes it when the face is lost, so that no subject runs out of time
  /// before being in front of the camera.
  ///
  /// Deadlines take effect in the order in which they are due, each at its own instant, so that a late tick and an early one agree.
  private mutating func followPresence(until instant: MonotonicInstant) {
    if let missingSince, seenSince != nil {
      let loss = missingSince + settings.headTurn.faceLossGrace
      if instant > loss, loss < windowEnd { wait(from: loss) }
    } else if clockStart == nil, isFaceInView, let seenSince {
      let start = seenSince + settings.facePresence
      if instant >= start, start <= windowEnd { clockStart = start }
    }
  }

  /// Instant at which the depth or face window closes, or the wait for a face ends.
  private var windowEnd: MonotonicInstant {
    if gate.state == .watching { return (windowStart ?? now) + settings.gate.window }
    if let clockStart { return clockStart + windowLength }
    return waitingSince + settings.waitingLimit
  }

  /// Depth window for the first positioning of an enrolled subject; otherwise the face window.
  private var windowLength: Interval {
    if case .enrolled = gate.basis, !isTaskKnown { return settings.gate.window }
    return settings.faceWindow
  }

  private mutating func position(at instant: MonotonicInstant) {
    framed = isFaceInView && isFramed(at: instant) ? framed + 1 : 0
    if gate.state == .watching {
      state = faceSeen ? .depth : .positioning
      return
    }
    // If depth is available but the subject is not enrolled, a single frame with a face is enough.
    let needed = gate.basis == .notEnrolled ? 0 : settings.framedFrames
    if isFaceInView, framed >= needed { instruct(at: instant) }
  }

  /// Reports whether the last frame needs no correction. Advice that the subject may be unable to follow, such as to
  /// uncover a face or to be alone in a public place, delays the check for a limited time only.
  private func isFramed(at instant: MonotonicInstant) -> Bool {
    if lastHints.isEmpty { return true }
    guard lastHints.isAdviceOnly, let clockStart else { return false }
    return instant >= clockStart + settings.adviceWindow
  }

  private mutating func instruct(at instant: MonotonicInstant) {
    state = .instructing
    instructedAt = instant
    isTaskKnown = true
  }

  private var pauseEnd: MonotonicInstant {
    // The announcement of changing colors is longer than an instruction, and declining the task takes a moment.
    if case .light = current.task { return instructedAt + settings.lightInstructionPause }
    return instructedAt + settings.instructionPause
  }

  // MARK: - Verdicts

  private mutating func follow(_ step: TaskStateMachine.Step) {
    switch step {
    case .ignored, .inProgress: break
    case .success: proceed()
    case .failed(let reason): end(.failed(failure(reason)))
    case .timedOut(let reason): end(.timedOut(reason))
    case .unavailable: replace()
    }
  }

  /// Starts the alternative of a task that cannot be assessed. It is at least as strong, so that an attacker gains
  /// nothing by forcing the replacement.
  private mutating func replace() {
    guard !isReplaced, let alternative = plan.alternatives[tasksDone] else {
      end(.failed(failure(.tooLittleLight)))
      return
    }
    settled.append(TaskOutcome(evidence: current.evidence, finding: current.finding))
    isReplaced = true
    current = TaskStateMachine(alternative)
    instruct(at: lastSample ?? now)
  }

  /// Starts the next task, or passes the check after the last one.
  private mutating func proceed() {
    tasksDone += 1
    guard tasksDone < plan.tasks.count else {
      end(.passed)
      return
    }
    settled.append(TaskOutcome(evidence: current.evidence, finding: current.finding))
    isReplaced = false
    current = TaskStateMachine(plan.tasks[tasksDone])
    if let lastSample { instruct(at: lastSample) }
  }

  private func failure(_ reason: TaskFailure) -> CheckFailure {
    if case .headTurn = current.task, let turn = HeadTurnFailure(rawValue: reason.rawValue) { return .headTurn(turn) }
    return .task(reason)
  }

  /// Reports whether the face continues at the position and size it had since the end of the first task. Fails the check if not.
  private mutating func continues(_ box: FaceBox?) -> Bool {
    guard state == .instructing, let lastBox else { return true }
    let turn = settings.headTurn
    if let box,
      box.continues(lastBox, maximumShift: turn.maximumShift, maximumSizeRatio: turn.maximumSizeRatio)
    {
      return true
    }
    end(.failed(failure(.changedFace)))
    return false
  }

  private mutating func end(_ verdict: State) {
    state = verdict
    lastHints = FramingHintSet()
  }

  // MARK: - Output

  /// Zero-based index of the current task and the number of tasks; the last index after the check ends.
  public var position: (index: Int, count: Int) { (min(tasksDone, plan.tasks.count - 1), plan.tasks.count) }

  /// Current task, or `nil` until it is disclosed to the client.
  public var task: LivenessTask? { isTaskKnown ? current.task : nil }

  /// Prompt the client draws for the current task, or `nil` before the task is disclosed and after the check ends.
  public var prompt: TaskPrompt? { state == .instructing || state == .tracking ? current.prompt : nil }

  /// Side to turn to, or `nil` before the task is disclosed and if the current task is not a head turn.
  public var side: Side? {
    guard isTaskKnown, case .headTurn(let task) = current.task else { return nil }
    return task.side
  }

  public var instruction: CheckInstruction {
    switch state {
    case .positioning: framed > 0 ? .holdStill : .positionFace
    case .depth: .holdStill
    case .instructing: .getReady
    case .tracking:
      switch current.prompt {
      case .comeBack: .comeBack
      case .turn: .turn
      case .faceCamera: .holdStill
      case .circle, .question, .upright, .motion, .blink, .path, .light: .perform
      }
    case .passed, .failed, .timedOut: .done
    }
  }

  /// Progress of the current state, 0…1.
  public var progress: Float {
    switch state {
    case .positioning: min(Float(framed) / Float(settings.framedFrames), 1)
    case .depth: Float(gate.run) / Float(settings.gate.consecutive)
    case .instructing: 0
    case .tracking, .failed, .timedOut: current.progress
    case .passed: 1
    }
  }

  /// Framing hints for the subject. During tracking, the position of the face in the image is ignored: only the task's hint and lighting
  /// hints are returned.
  public var hints: [FramingHint] {
    guard state == .tracking else { return lastHints.hints }
    var hints = current.hint.map { [$0] } ?? []
    for light in [FramingHint.tooDark, .tooBright] where lastHints.contains(light) { hints.append(light) }
    return hints
  }

  /// Time left in the current window, pause, or challenge as of the last sample or tick; zero while no window runs and after the check
  /// ends.
  public var remaining: Interval {
    switch state {
    case .positioning where clockStart == nil && gate.state != .watching: .zero
    case .positioning, .depth: left(until: windowEnd)
    case .instructing: left(until: pauseEnd)
    case .tracking: left(until: current.deadline ?? now)
    case .passed, .failed, .timedOut: .zero
    }
  }

  private func left(until end: MonotonicInstant) -> Interval { max(end.since(now), .zero) }

  /// Evidence of the last head turn, or `nil` if none began.
  public var evidence: HeadTurnEvidence? { taskEvidence.last { $0.turn != nil }?.turn }

  /// Evidence of the tasks that began, in plan order.
  public var taskEvidence: [TaskEvidence] {
    settled.map(\.evidence) + (current.state == .issued ? [] : [current.evidence])
  }

  /// Findings so far: `depth-gate` once it is decided, and each task by name once it is decided. After the check ends, the list also
  /// includes the tasks that could not begin.
  public var findings: [Finding] {
    var findings: [Finding] = []
    if let finding = gate.finding { findings.append(finding) }
    findings += settled.compactMap(\.finding)
    if let finding = current.finding { findings.append(finding) }
    guard isOver, !isPassedByDepth else { return findings }
    let begun = tasksDone + (current.finding == nil ? 0 : 1)
    for task in plan.tasks.dropFirst(begun) {
      findings.append(
        Finding(check: task.kind.rawValue, result: .notAssessed(faceSeen ? .tooFewFrames(0) : .noFace)))
    }
    return findings
  }

  /// Evidence and finding of a completed task.
  fileprivate struct TaskOutcome: Sendable {
    var evidence: TaskEvidence
    var finding: Finding?
  }
}

extension CheckStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckStateMachine(\(state), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CheckStateMachine: BinaryStateCodable {
  /// The settings, the plan, and the depth reference are not encoded: the decoding side must create the state machine with the same
  /// values.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&state)
    coder.pass(&gate)
    coder.pass(&tasksDone)
    coder.require((0...plan.tasks.count).contains(tasksDone))
    coder.pass(&isReplaced)
    guard coder.isSound else { return }
    if coder.isReading {
      let index = min(tasksDone, plan.tasks.count - 1)
      coder.require(!isReplaced || plan.alternatives[index] != nil)
      current = TaskStateMachine((isReplaced ? plan.alternatives[index] : nil) ?? plan.tasks[index])
    }
    coder.pass(&current)
    coder.pass(&settled)
    coder.pass(&isTaskKnown)
    coder.pass(&lastBox)
    coder.pass(&windowStart)
    coder.pass(&waitingSince)
    coder.pass(&seenSince)
    coder.pass(&clockStart)
    coder.pass(&repeatedSince)
    coder.pass(&now)
    coder.pass(&lastSample)
    coder.pass(&faceSeen)
    coder.pass(&isFaceInView)
    coder.pass(&others)
    coder.pass(&framed)
    coder.pass(&instructedAt)
    coder.pass(&missingSince)
    coder.pass(&lastHints)
  }
}

extension CheckStateMachine.TaskOutcome: BinaryStateValue {
  static var blank: Self { Self(evidence: .blank, finding: nil) }
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&evidence)
    coder.pass(&finding)
  }
}

extension CheckStateMachine.State: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, turn, failure) = (0, HeadTurnFailure?.none, TaskFailure?.none)
    switch self {
    case .positioning: tag = 0
    case .depth: tag = 1
    case .instructing: tag = 2
    case .tracking: tag = 3
    case .passed: tag = 4
    case .failed(.noFace): tag = 5
    case .failed(.headTurn(let why)): (tag, turn) = (6, why)
    case .failed(.task(let why)): (tag, failure) = (7, why)
    case .timedOut(let why): (tag, failure) = (8, why)
    case .failed(.frozenCamera): tag = 9
    }
    coder.pass(&tag)
    coder.pass(choice: &turn)
    coder.pass(choice: &failure)
    switch (tag, turn, failure) {
    case (0, nil, nil): self = .positioning
    case (1, nil, nil): self = .depth
    case (2, nil, nil): self = .instructing
    case (3, nil, nil): self = .tracking
    case (4, nil, nil): self = .passed
    case (5, nil, nil): self = .failed(.noFace)
    case (6, let why?, nil): self = .failed(.headTurn(why))
    case (7, nil, let why?): self = .failed(.task(why))
    case (8, nil, let why?): self = .timedOut(why)
    case (9, nil, nil): self = .failed(.frozenCamera)
    default: coder.require(false)
    }
  }
}
