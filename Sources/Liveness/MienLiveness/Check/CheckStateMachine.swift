public import MienCore

/// The flow of one liveness check: a window for depth, and when that does not settle it, one task after the other; a head
/// turn when nothing else is planned.
///
/// A value without clock, dice and words: it is told what was seen and when. The window starts with the first thing it is
/// told of; an abandoned check is the service's business. All instants must be of one clock; captures of depth and
/// samples may come in any order relative to each other, each by itself must come in order.
public struct CheckStateMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// No face yet, or not well framed. Next: depth, instructing, passed, failed.
    case positioning
    /// A face was seen and the depth window runs. Next: instructing, passed, failed.
    case depth
    /// The person reads what to do. Next: tracking, failed; before the first task also positioning (the face went away, or
    /// no frame came), after it that fails: nobody may change places between two tasks.
    case instructing
    /// A task is judged. Next: instructing (the next task), passed, failed, timedOut.
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
  /// The depth gate of this check.
  public private(set) var gate: DepthGateStateMachine
  public let plan: TaskPlan
  /// True when depth that passes the gate passes the check; otherwise the tasks are asked in any case.
  public let depthDecides: Bool
  /// The present task, or the last one when the check is over.
  public private(set) var current: TaskStateMachine
  /// How many tasks were done.
  public private(set) var tasksDone = 0
  /// What the tasks that are done showed.
  private var settled: [TaskOutcome] = []
  /// What is asked was told to the person, and stays told.
  private var isTaskKnown = false
  /// The last single face since the first task was done, where the source says where it is.
  private var lastBox: FaceBox?

  private var windowStart: MonotonicInstant?
  private var now = MonotonicInstant.zero
  private var lastSample: MonotonicInstant?
  private var faceSeen = false
  private var isFaceInView = false
  /// How many faces were in view when there was more than one; 0 otherwise.
  private var others = 0
  private var framed = 0
  private var instructedAt = MonotonicInstant.zero
  private var missingSince: MonotonicInstant?
  private var isAlone: Bool { others == 0 }
  private var lastHints = FramingHintSet()

  /// - Parameters:
  ///   - side: where to turn, if it comes to that; chosen beforehand with ``HeadTurnChallenge/choose(using:)``.
  ///   - depth: what the depth gate can rest on.
  ///   - depthDecides: false to ask for the turn also when the depth gate passes.
  public init(side: Side, depth: DepthReference, depthDecides: Bool = true, settings: CheckSettings = .standard) {
    let turn = HeadTurnTask(side: side, settings: settings.headTurn, isChosen: true)
    self.init(plan: TaskPlan(.headTurn(turn)), depth: depth, depthDecides: depthDecides, settings: settings)
  }

  /// - Parameters:
  ///   - plan: what to ask, if it comes to that; chosen beforehand.
  ///   - depth: what the depth gate can rest on.
  ///   - depthDecides: false to ask for the tasks also when the depth gate passes.
  public init(plan: TaskPlan, depth: DepthReference, depthDecides: Bool = true, settings: CheckSettings = .standard) {
    self.settings = settings
    self.plan = plan
    self.depthDecides = depthDecides
    self.gate = DepthGateStateMachine(basis: depth, settings: settings.gate)
    self.current = TaskStateMachine(plan.tasks[0])
  }

  /// True when depth alone passed the check: no task was asked for.
  public var isPassedByDepth: Bool { state == .passed && tasksDone == 0 }

  /// True in the three final states.
  public var isOver: Bool {
    switch state {
    case .positioning, .depth, .instructing, .tracking: false
    case .passed, .failed, .timedOut: true
    }
  }

  // MARK: - What it is told

  /// One frame of which only the head's yaw is known: enough for head turns, any other task refuses it.
  public mutating func process(_ sample: HeadSample, hints: [FramingHint]) {
    process(TaskSample(sample), hints: hints)
  }

  /// One frame: what the face did, and what ``FramingAdvice`` says about the frame.
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
      // Tracking starts with a face in view: the person's ten seconds do not run while they are away.
      guard isFaceInView, sample.at >= pauseEnd else { return }
      state = .tracking
      current.beginTracking(at: sample.at)
      follow(current.process(sample))
    case .tracking: follow(current.process(sample))
    case .passed, .failed, .timedOut: break
    }
  }

  /// One depth capture, measured.
  public mutating func process(depth: DepthMeasurementResult, at: MonotonicInstant) {
    guard !isOver else { return }
    tick(at: at)
    guard !isOver, gate.state == .watching else { return }
    // With several faces in view nobody knows whose depth it is.
    gate.process(others > 0 ? .notAssessed(.severalFaces(others)) : depth, at: at)
    if gate.state == .passed, depthDecides { end(.passed) }
  }

  /// Time passes: windows close, pauses end, faces are lost.
  public mutating func tick(at instant: MonotonicInstant) {
    guard !isOver else { return }
    if windowStart == nil { openWindow(at: instant) }
    now = max(now, instant)
    switch state {
    case .positioning, .depth:
      gate.tick(at: instant)
      guard instant > windowEnd else { return }
      if faceSeen { instruct(at: windowEnd) } else { end(.failed(.noFace)) }
      // The window may have closed long before this tick.
      if state == .instructing { tick(at: instant) }
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

  // MARK: - Positioning

  private mutating func openWindow(at instant: MonotonicInstant) {
    gate.begin(at: instant)
    windowStart = instant
    state = .positioning
    faceSeen = false
    framed = 0
  }

  /// When the face or depth window closes.
  private var windowEnd: MonotonicInstant {
    let start = windowStart ?? now
    return start + (gate.state == .watching ? settings.gate.window : windowLength)
  }

  /// The depth window for the first positioning of an enrolled person; the face window otherwise.
  private var windowLength: Interval {
    if case .enrolled = gate.basis, !isTaskKnown { return settings.gate.window }
    return settings.faceWindow
  }

  private mutating func position(at instant: MonotonicInstant) {
    framed = isFaceInView && lastHints.isEmpty ? framed + 1 : 0
    if gate.state == .watching {
      state = faceSeen ? .depth : .positioning
      return
    }
    // With depth but without enrolment there is nothing to wait for: a face is enough.
    let needed = gate.basis == .notEnrolled ? 0 : settings.framedFrames
    if isFaceInView, framed >= needed { instruct(at: instant) }
  }

  private mutating func instruct(at instant: MonotonicInstant) {
    state = .instructing
    instructedAt = instant
    isTaskKnown = true
  }

  private var pauseEnd: MonotonicInstant { instructedAt + settings.instructionPause }

  // MARK: - Verdicts

  private mutating func follow(_ step: TaskStateMachine.Step) {
    switch step {
    case .ignored, .inProgress: break
    case .success: proceed()
    case .failed(let reason): end(.failed(failure(reason)))
    case .timedOut(let reason): end(.timedOut(reason))
    }
  }

  /// The next task, or the end.
  private mutating func proceed() {
    tasksDone += 1
    guard tasksDone < plan.tasks.count else {
      end(.passed)
      return
    }
    settled.append(TaskOutcome(evidence: current.evidence, finding: current.finding))
    current = TaskStateMachine(plan.tasks[tasksDone])
    if let lastSample { instruct(at: lastSample) }
  }

  private func failure(_ reason: TaskFailure) -> CheckFailure {
    if case .headTurn = current.task, let turn = HeadTurnFailure(rawValue: reason.rawValue) { return .headTurn(turn) }
    return .task(reason)
  }

  /// Holds the face to the place and size it had, from the end of the first task on: false when it is another one.
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

  // MARK: - What it shows

  /// Which task of how many it is, counted from 0; the last one when the check is over.
  public var position: (index: Int, count: Int) { (min(tasksDone, plan.tasks.count - 1), plan.tasks.count) }

  /// The present task; nil until the person was told.
  public var task: LivenessTask? { isTaskKnown ? current.task : nil }

  /// What a client draws for the present task; nil until the person was told, and when the check is over.
  public var prompt: TaskPrompt? { state == .instructing || state == .tracking ? current.prompt : nil }

  /// The side to turn to; nil until the person was told, and when the present task is no head turn.
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
      case .circle, .question, .upright, .motion, .blink, .path: .perform
      }
    case .passed, .failed, .timedOut: .done
    }
  }

  /// How much of what is asked now is done, 0…1.
  public var progress: Float {
    switch state {
    case .positioning: min(Float(framed) / Float(settings.framedFrames), 1)
    case .depth: Float(gate.run) / Float(settings.gate.consecutive)
    case .instructing: 0
    case .tracking, .failed, .timedOut: current.progress
    case .passed: 1
    }
  }

  /// What may help the person now. While the head turns, its place in the picture is no concern.
  public var hints: [FramingHint] {
    guard state == .tracking else { return lastHints.hints }
    var hints = current.hint.map { [$0] } ?? []
    for light in [FramingHint.tooDark, .tooBright] where lastHints.contains(light) { hints.append(light) }
    return hints
  }

  /// What is left of the present window, pause or challenge, as of the last thing it was told; zero when over.
  public var remaining: Interval {
    switch state {
    case .positioning, .depth: left(until: windowStart.map { _ in windowEnd } ?? now + windowLength)
    case .instructing: left(until: pauseEnd)
    case .tracking: left(until: current.deadline ?? now)
    case .passed, .failed, .timedOut: .zero
    }
  }

  private func left(until end: MonotonicInstant) -> Interval { max(end.since(now), .zero) }

  /// What the last head turn rests on; nil when none began.
  public var evidence: HeadTurnEvidence? { taskEvidence.last { $0.turn != nil }?.turn }

  /// What the tasks rest on, in their order, those that began.
  public var taskEvidence: [TaskEvidence] {
    settled.map(\.evidence) + (current.state == .issued ? [] : [current.evidence])
  }

  /// What the checks found so far: `depth-gate` once it is settled, each task by its name once it is; when the check is
  /// over also those that could not begin.
  public var findings: [Finding] {
    var findings: [Finding] = []
    if let finding = gate.finding { findings.append(finding) }
    findings += settled.compactMap(\.finding)
    if let finding = current.finding { findings.append(finding) }
    guard isOver, !isPassedByDepth else { return findings }
    let begun = settled.count + (current.finding == nil ? 0 : 1)
    for task in plan.tasks.dropFirst(begun) {
      findings.append(
        Finding(check: task.kind.rawValue, result: .notAssessed(faceSeen ? .tooFewFrames(0) : .noFace)))
    }
    return findings
  }

  /// A task that was done.
  fileprivate struct TaskOutcome: Sendable {
    var evidence: TaskEvidence
    var finding: Finding?
  }
}

extension CheckStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckMachine(\(state), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CheckStateMachine: BinaryStateCodable {
  /// Settings, plan and what the depth gate rests on are not on the tape: whoever reads has made a machine with the same
  /// ones.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&state)
    coder.pass(&gate)
    coder.pass(&tasksDone)
    coder.require((0...plan.tasks.count).contains(tasksDone))
    guard coder.isSound else { return }
    if coder.isReading { current = TaskStateMachine(plan.tasks[min(tasksDone, plan.tasks.count - 1)]) }
    coder.pass(&current)
    coder.pass(&settled)
    coder.pass(&isTaskKnown)
    coder.pass(&lastBox)
    coder.pass(&windowStart)
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
    default: coder.require(false)
    }
  }
}
