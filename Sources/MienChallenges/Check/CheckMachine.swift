public import MienModel

/// The flow of one liveness check: a window for depth, and when that does not settle it, a head turn.
///
/// A value without clock, dice and words: it is told what was seen and when. The window starts with the first thing it is
/// told of; an abandoned check is the service's business. All instants must be of one clock; captures of depth and
/// samples may come in any order relative to each other, each by itself must come in order.
public struct CheckMachine: Sendable {
  public enum State: Hashable, Sendable {
    /// No face yet, or not well framed. Next: depth, instructing, passed, failed.
    case positioning
    /// A face was seen and the depth window runs. Next: instructing, passed, failed.
    case depth
    /// The person reads to which side to turn. Next: tracking, positioning (the face went away, or no frame came), failed.
    case instructing
    /// The head turn is judged. Next: passed, failed, timedOut.
    case tracking
    /// Final.
    case passed
    /// Final.
    case failed(CheckFailure)
    /// Final.
    case timedOut(HeadTurnFailure)
  }

  public private(set) var state = State.positioning
  public let settings: CheckSettings
  /// The depth gate of this check.
  public private(set) var gate: DepthGateMachine
  /// The head turn of this check.
  public private(set) var turn: HeadTurnMachine
  /// The side was told to the person, and stays told.
  private var isSideKnown = false

  private var windowStart: Instant?
  private var now = Instant.zero
  private var lastSample: Instant?
  private var faceSeen = false
  private var isFaceInView = false
  /// How many faces were in view when there was more than one; 0 otherwise.
  private var others = 0
  private var framed = 0
  private var instructedAt = Instant.zero
  private var missingSince: Instant?
  private var lastHints = HintSet()

  /// - Parameters:
  ///   - side: where to turn, if it comes to that; chosen beforehand with ``HeadTurnChallenge/choose(using:)``.
  ///   - depth: what the depth gate can rest on.
  public init(side: Side, depth: DepthBasis, settings: CheckSettings = .standard) {
    self.settings = settings
    self.gate = DepthGateMachine(basis: depth, settings: settings.gate)
    self.turn = HeadTurnMachine(side: side, settings: settings.headTurn)
  }

  /// True in the three final states.
  public var isOver: Bool {
    switch state {
    case .positioning, .depth, .instructing, .tracking: false
    case .passed, .failed, .timedOut: true
    }
  }

  // MARK: - What it is told

  /// One frame: what the head did, and what ``FramingAdvice`` says about the frame.
  public mutating func saw(_ sample: HeadSample, hints: [Hint]) {
    guard !isOver else { return }
    if let lastSample {
      if sample.at < lastSample {
        if state == .tracking { follow(turn.saw(sample)) } else { end(.failed(.headTurn(.timestampsBackwards))) }
        return
      }
      if sample.at == lastSample { return }
    }
    tick(at: sample.at)
    guard !isOver else { return }
    lastSample = sample.at
    lastHints = HintSet(hints)
    isFaceInView = false
    others = 0
    switch sample.sight {
    case .face: isFaceInView = true
    case .severalFaces(let count): others = count
    case .noFace: break
    }
    if isFaceInView {
      missingSince = nil
      faceSeen = true
    } else if missingSince == nil {
      missingSince = sample.at
    }
    switch state {
    case .positioning, .depth: position(at: sample.at)
    case .instructing:
      // Tracking starts with a face in view: the person's ten seconds do not run while they are away.
      guard isFaceInView, sample.at >= pauseEnd else { return }
      state = .tracking
      turn.beginTracking(at: sample.at)
      follow(turn.saw(sample))
    case .tracking: follow(turn.saw(sample))
    case .passed, .failed, .timedOut: break
    }
  }

  /// One depth capture, measured.
  public mutating func saw(depth: DepthAssessment, at: Instant) {
    guard !isOver else { return }
    tick(at: at)
    guard !isOver, gate.state == .watching else { return }
    // With several faces in view nobody knows whose depth it is.
    gate.saw(others > 0 ? .notAssessed(.severalFaces(others)) : depth, at: at)
    if gate.state == .passed { end(.passed) }
  }

  /// Time passes: windows close, pauses end, faces are lost.
  public mutating func tick(at instant: Instant) {
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
      openWindow(at: loss)
      tick(at: instant)
    case .tracking: follow(turn.tick(at: instant))
    case .passed, .failed, .timedOut: break
    }
  }

  // MARK: - Positioning

  private mutating func openWindow(at instant: Instant) {
    gate.begin(at: instant)
    windowStart = instant
    state = .positioning
    faceSeen = false
    framed = 0
  }

  /// When the face or depth window closes.
  private var windowEnd: Instant {
    let start = windowStart ?? now
    return start + (gate.state == .watching ? settings.gate.window : windowLength)
  }

  /// The depth window for the first positioning of an enrolled person; the face window otherwise.
  private var windowLength: Interval {
    if case .enrolled = gate.basis, !isSideKnown { return settings.gate.window }
    return settings.faceWindow
  }

  private mutating func position(at instant: Instant) {
    framed = isFaceInView && lastHints.isEmpty ? framed + 1 : 0
    if gate.state == .watching {
      state = faceSeen ? .depth : .positioning
      return
    }
    // With depth but without enrolment there is nothing to wait for: a face is enough.
    let needed = gate.basis == .notEnrolled ? 0 : settings.framedFrames
    if isFaceInView, framed >= needed { instruct(at: instant) }
  }

  private mutating func instruct(at instant: Instant) {
    state = .instructing
    instructedAt = instant
    isSideKnown = true
    turn.issue()
  }

  private var pauseEnd: Instant { instructedAt + settings.instructionPause }

  // MARK: - Verdicts

  private mutating func follow(_ step: HeadTurnMachine.Step) {
    switch step {
    case .ignored, .inProgress: break
    case .success: end(.passed)
    case .failed(let failure): end(.failed(.headTurn(failure)))
    case .timedOut(let failure): end(.timedOut(failure))
    }
  }

  private mutating func end(_ verdict: State) {
    state = verdict
    lastHints = HintSet()
  }

  // MARK: - What it shows

  /// The side to turn to; nil until the person was told.
  public var side: Side? { isSideKnown ? turn.side : nil }

  public var instruction: CheckInstruction {
    switch state {
    case .positioning: framed > 0 ? .holdStill : .positionFace
    case .depth: .holdStill
    case .instructing: .getReady
    case .tracking:
      switch turn.state {
      // Turned away before the turn began: face the camera first.
      case .tracking(.facing), .tracking(.turningBack): .comeBack
      case .idle, .issued, .tracking(.turningOut), .success, .failed, .timedOut: .turn
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
    case .tracking, .failed, .timedOut: turn.progress
    case .passed: 1
    }
  }

  /// What may help the person now. While the head turns, its place in the picture is no concern.
  public var hints: [Hint] {
    guard state == .tracking else { return lastHints.hints }
    var hints = turn.hint.map { [$0] } ?? []
    for light in [Hint.tooDark, .tooBright] where lastHints.contains(light) { hints.append(light) }
    return hints
  }

  /// What is left of the present window, pause or challenge, as of the last thing it was told; zero when over.
  public var remaining: Interval {
    switch state {
    case .positioning, .depth: left(until: windowStart.map { _ in windowEnd } ?? now + windowLength)
    case .instructing: left(until: pauseEnd)
    case .tracking: left(until: turn.deadline ?? now)
    case .passed, .failed, .timedOut: .zero
    }
  }

  private func left(until end: Instant) -> Interval { max(end.since(now), .zero) }

  /// What the head turn rests on; nil when it never began.
  public var evidence: HeadTurnEvidence? {
    switch turn.state {
    case .idle, .issued: nil
    case .tracking, .success, .failed, .timedOut: turn.evidence
    }
  }

  /// What the checks found so far: `depth-gate` once it is settled, `head-turn` once it is, or could not begin.
  public var findings: [Finding] {
    var findings: [Finding] = []
    if let finding = gate.finding { findings.append(finding) }
    if let finding = turn.finding {
      findings.append(finding)
    } else if isOver, gate.state != .passed {
      findings.append(Finding(check: "head-turn", result: .notAssessed(faceSeen ? .tooFewFrames(0) : .noFace)))
    }
    return findings
  }
}

extension CheckMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckMachine(\(state), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
