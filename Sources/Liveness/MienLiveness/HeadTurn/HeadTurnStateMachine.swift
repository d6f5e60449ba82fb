public import MienCore

/// Evaluates one head turn: out to the requested side beyond the far threshold, and back.
///
/// A value type without a clock or randomness: callers supply timestamps. With s = yaw toward the requested side, the phases are P1 (s
/// below the center threshold), P2 (s beyond the far threshold, after P1) and P3 (s below the center threshold again, after P2).
/// Processing a sample allocates nothing: capacity for both angle sequences is reserved when tracking begins.
///
/// All instants must come from one clock. A tick only advances a verdict that the next sample would produce anyway; a caller that is
/// still processing a frame should not tick past the instant of that frame.
public struct HeadTurnStateMachine: Sendable {
  /// State of the challenge.
  public enum State: Hashable, Sendable {
    /// The challenge has not been issued. Next: issued.
    case idle
    /// The side was shown to the subject; angles are not evaluated yet. Next: tracking.
    case issued
    /// Samples are evaluated and the time limit runs. Next: tracking, success, failed, timedOut.
    case tracking(Phase)
    /// The turn was completed. Final.
    case success
    /// The turn was rejected. Final.
    case failed(HeadTurnFailure)
    /// Time ran out. Final.
    case timedOut(HeadTurnFailure)
  }

  /// Phase of the turn during tracking.
  public enum Phase: Hashable, Sendable {
    /// The head has not faced the camera yet (P1 is pending). Next: turningOut.
    case facing
    /// P1 was reached. Next: turningBack.
    case turningOut
    /// P2 was reached. Next: the verdict.
    case turningBack
  }

  /// Result of a sample or a tick.
  public enum Step: Hashable, Sendable {
    /// The sample was ignored: not tracking, already over, not newer than the last sample, or from before tracking began.
    case ignored
    case inProgress
    case success
    case failed(HeadTurnFailure)
    case timedOut(HeadTurnFailure)
  }

  /// Side the head must turn to.
  public let side: Side
  public let settings: HeadTurnSettings
  public private(set) var state = State.idle
  /// Current hint for the subject; `nil` if there is no problem.
  public private(set) var hint: FramingHint?
  /// Progress of the turn, following the head: 0…½ on the way out, ½…1 on the way back.
  public private(set) var progress: Float = 0

  private var began = MonotonicInstant.zero
  private var lastSample: MonotonicInstant?
  /// Last single face: its timestamp, its angle toward the requested side in degrees, and its box.
  private var faceAt: MonotonicInstant?
  private var angle: Float = 0
  private var box: FaceBox?
  private var missingSince: MonotonicInstant?
  private var severalSince: MonotonicInstant?
  /// First of the last samples if all of them are turned to the other side.
  private var otherWaySince: MonotonicInstant?
  private var samplesInPhase = 0
  /// Angle at P1, and the maximum distance from it. Distinguishes "did not move" from "moved too little".
  private var angleAtCenter: Float = 0
  private var furthestFromCenter: Float = 0
  private var peak: Float?
  private var outboundPath: [Float] = []
  private var returnPath: [Float] = []
  private var ended: MonotonicInstant?

  public init(side: Side, settings: HeadTurnSettings = .standard) {
    self.side = side
    self.settings = settings
  }

  /// Marks the challenge as issued. Has an effect only in the idle state.
  public mutating func issue() {
    if state == .idle { state = .issued }
  }

  /// Starts the time limit and accepts samples from `at` on. Has an effect only in the issued state.
  public mutating func beginTracking(at: MonotonicInstant) {
    guard state == .issued else { return }
    state = .tracking(.facing)
    began = at
    outboundPath.reserveCapacity(settings.maximumSamplesPerPhase)
    returnPath.reserveCapacity(settings.maximumSamplesPerPhase)
  }

  /// Instant at which time runs out; `nil` before tracking began.
  public var deadline: MonotonicInstant? {
    switch state {
    case .idle, .issued: nil
    case .tracking, .success, .failed, .timedOut: began + settings.timeLimit
    }
  }

  /// `true` in the three final states.
  public var isOver: Bool {
    switch state {
    case .idle, .issued, .tracking: false
    case .success, .failed, .timedOut: true
    }
  }

  /// Evaluates one sample.
  public mutating func process(_ sample: HeadSample) -> Step {
    guard case .tracking(let phase) = state else { return .ignored }
    if let lastSample {
      if sample.at < lastSample { return fail(.timestampsBackwards, at: lastSample) }
      if sample.at == lastSample { return .ignored }
    }
    guard sample.at >= began else { return .ignored }
    if let step = expire(phase, at: sample.at) { return step }
    lastSample = sample.at
    // Counted per sample and not per recorded angle, so that an endless stream of frames without progress ends as well.
    samplesInPhase += 1
    guard samplesInPhase <= settings.maximumSamplesPerPhase else { return fail(.tooManyObservations, at: sample.at) }
    switch sample.sight {
    case .noFace:
      if missingSince == nil { missingSince = sample.at }
      hint = hasTurnedFar(phase) ? .comeBack : .noFace
      return .inProgress
    case .severalFaces:
      if severalSince == nil { severalSince = sample.at }
      hint = .severalFaces
      return .inProgress
    case .face(let yaw, let box):
      return follow(yaw * side.yawSign, box, at: sample.at, phase)
    }
  }

  /// Advances time without a frame: time may run out, or the face may count as lost.
  public mutating func tick(at now: MonotonicInstant) -> Step {
    guard case .tracking(let phase) = state else { return .ignored }
    return expire(phase, at: now) ?? .inProgress
  }

  // MARK: - Time

  /// Returns the verdict that is due by `now`, the earliest first, so that a late tick and an early one agree.
  private mutating func expire(_ phase: Phase, at now: MonotonicInstant) -> Step? {
    let limit = began + settings.timeLimit
    var loss = (lastSample ?? began) + settings.silenceGrace
    var reason = HeadTurnFailure.faceLost
    if let missingSince {
      loss = min(loss, missingSince + (hasTurnedFar(phase) ? settings.turnedFarGrace : settings.faceLossGrace))
    }
    if let severalSince, severalSince + settings.severalFacesGrace < loss {
      loss = severalSince + settings.severalFacesGrace
      reason = .severalFaces
    }
    if now > loss, loss < limit { return fail(reason, at: loss) }
    return now > limit ? runOut(phase, at: limit) : nil
  }

  private mutating func runOut(_ phase: Phase, at limit: MonotonicInstant) -> Step {
    let reason: HeadTurnFailure =
      switch phase {
      case .facing: .timedOut
      case .turningOut: furthestFromCenter < settings.centerThreshold ? .timedOut : .turnedTooLittle
      case .turningBack: .didNotReturn
      }
    state = .timedOut(reason)
    ended = limit
    hint = nil
    return .timedOut(reason)
  }

  private mutating func fail(_ reason: HeadTurnFailure, at: MonotonicInstant) -> Step {
    state = .failed(reason)
    ended = at
    hint = nil
    return .failed(reason)
  }

  // MARK: - Tracking

  /// `true` if the head was last seen beyond P2 on the requested side. Trackers lose a face in profile.
  private func hasTurnedFar(_ phase: Phase) -> Bool { phase == .turningBack && angle > settings.farThreshold }

  private mutating func follow(_ angle: Float, _ box: FaceBox?, at: MonotonicInstant, _ phase: Phase) -> Step {
    if let faceAt {
      guard continues(box) else { return fail(.changedFace, at: at) }
      if angle < -settings.farThreshold { return fail(.wrongDirection, at: at) }
      let reach = settings.maximumSpeed * Float(at.since(faceAt).inSeconds) + settings.jitterTolerance
      guard abs(angle - self.angle) <= reach else { return fail(.wrongMovement, at: at) }
    } else if angle < -settings.farThreshold {
      return fail(.wrongDirection, at: at)
    }
    faceAt = at
    self.angle = angle
    self.box = box
    missingSince = nil
    severalSince = nil
    peak = peak.map { max($0, angle) } ?? angle
    if angle >= -settings.otherWayThreshold { otherWaySince = nil } else if otherWaySince == nil { otherWaySince = at }
    hint = otherWaySince.map { at >= $0 + settings.otherWayDelay } == true ? .otherWay : nil
    return advance(angle, at: at, phase)
  }

  /// Reports whether `box` continues the track in position and size. A source that never reports a box is not checked; a source that did
  /// must continue to do so.
  private func continues(_ box: FaceBox?) -> Bool {
    guard let old = self.box else { return true }
    guard let box else { return false }
    return box.continues(
      old, maximumShift: settings.maximumShift, maximumSizeRatio: settings.maximumSizeRatio)
  }

  private mutating func advance(_ angle: Float, at: MonotonicInstant, _ phase: Phase) -> Step {
    switch phase {
    case .facing:
      guard angle < settings.centerThreshold else { return .inProgress }
      angleAtCenter = angle
      outboundPath.append(angle)
      enter(.turningOut)
    case .turningOut:
      furthestFromCenter = max(furthestFromCenter, abs(angle - angleAtCenter))
      // If the head returns before it turned far enough, the way out starts again.
      if angle < settings.centerThreshold { outboundPath.removeAll(keepingCapacity: true) }
      outboundPath.append(angle)
      progress = 0.5 * min(max(angle / settings.farThreshold, 0), 1)
      if angle > settings.farThreshold { enter(.turningBack) }
    case .turningBack:
      returnPath.append(angle)
      let span = settings.farThreshold - settings.centerThreshold
      progress = 0.5 + 0.5 * min(max((settings.farThreshold - angle) / span, 0), 1)
      if angle < settings.centerThreshold { return evaluate(at: at) }
    }
    return .inProgress
  }

  private mutating func enter(_ phase: Phase) {
    state = .tracking(phase)
    samplesInPhase = 0
  }

  // MARK: - Checks after P3

  private mutating func evaluate(at: MonotonicInstant) -> Step {
    if outboundPath.count == returnPath.count, outboundPath.sorted() == returnPath.sorted() {
      return fail(.static, at: at)
    }
    guard samplesBetween(outboundPath) >= settings.minimumSamplesBetween,
      samplesBetween(returnPath) >= settings.minimumSamplesBetween
    else { return fail(.tooFewFrames, at: at) }
    guard unsteadiness <= 1 else { return fail(.wrongMovement, at: at) }
    guard let out = meanChangeOut, let back = meanChangeBack, abs(out - back) >= settings.minimumDistinctChange else {
      return fail(.static, at: at)
    }
    state = .success
    ended = at
    hint = nil
    progress = 1
    return .success
  }

  private func samplesBetween(_ angles: [Float]) -> Int {
    var count = 0
    for angle in angles where angle > settings.centerThreshold && angle < settings.farThreshold { count += 1 }
    return count
  }

  private var travelOut: YawTravel { YawTravel(out: outboundPath[...], jitter: settings.jitterTolerance) }
  private var travelBack: YawTravel {
    YawTravel(back: returnPath[...], from: outboundPath.last, jitter: settings.jitterTolerance)
  }
  private var unsteadiness: Float { max(travelOut.unsteadiness(settings), travelBack.unsteadiness(settings)) }

  /// Mean change in degrees per frame toward the requested side. The way out has one step fewer than samples.
  private var meanChangeOut: Float? {
    guard outboundPath.count > 1, let first = outboundPath.first, let last = outboundPath.last else { return nil }
    return (last - first) / Float(outboundPath.count - 1)
  }

  private var meanChangeBack: Float? {
    guard let turned = outboundPath.last, let last = returnPath.last else { return nil }
    return (last - turned) / Float(returnPath.count)
  }

  /// Evidence of the verdict, or the evidence so far.
  public var evidence: HeadTurnEvidence {
    let sign = side.yawSign
    return HeadTurnEvidence(
      outboundPath: outboundPath.map { $0 * sign }, returnPath: returnPath.map { $0 * sign },
      meanChangeOut: meanChangeOut.map { $0 * sign }, meanChangeBack: meanChangeBack.map { $0 * sign },
      wrongOutbound: travelOut.wrong, wrongReturn: travelBack.wrong, unsteadiness: unsteadiness,
      peakYaw: peak.map { $0 * sign }, duration: (ended ?? lastSample ?? began).since(began))
  }
}

extension HeadTurnStateMachine: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadTurnStateMachine(\(state), withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HeadTurnStateMachine: BinaryStateCodable {
  /// The side and the settings are not encoded: the decoding side must create the state machine with the same values.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&state)
    coder.pass(choice: &hint)
    coder.pass(&progress)
    coder.pass(&began)
    coder.pass(&lastSample)
    coder.pass(&faceAt)
    coder.pass(&angle)
    coder.pass(&box)
    coder.pass(&missingSince)
    coder.pass(&severalSince)
    coder.pass(&otherWaySince)
    coder.pass(&samplesInPhase)
    coder.pass(&angleAtCenter)
    coder.pass(&furthestFromCenter)
    coder.pass(&peak)
    coder.pass(&outboundPath)
    coder.pass(&returnPath)
    coder.pass(&ended)
  }
}

extension HeadTurnStateMachine.State: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var (tag, failure) = (0, HeadTurnFailure?.none)
    switch self {
    case .idle: tag = 0
    case .issued: tag = 1
    case .tracking(.facing): tag = 2
    case .tracking(.turningOut): tag = 3
    case .tracking(.turningBack): tag = 4
    case .success: tag = 5
    case .failed(let why): (tag, failure) = (6, why)
    case .timedOut(let why): (tag, failure) = (7, why)
    }
    coder.pass(&tag)
    coder.pass(choice: &failure)
    switch (tag, failure) {
    case (0, nil): self = .idle
    case (1, nil): self = .issued
    case (2, nil): self = .tracking(.facing)
    case (3, nil): self = .tracking(.turningOut)
    case (4, nil): self = .tracking(.turningBack)
    case (5, nil): self = .success
    case (6, let why?): self = .failed(why)
    case (7, let why?): self = .timedOut(why)
    default: coder.require(false)
    }
  }
}
