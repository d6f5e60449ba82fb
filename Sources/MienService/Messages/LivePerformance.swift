internal import MienAvatars
internal import MienChallenges
internal import MienExpressions
internal import MienModel

/// One person performing in front of a camera: for a message that is to be opened, or to record a sequence. One actor per
/// performance; nothing of it is kept.
actor LivePerformance<Observer: FaceObserver> {
  /// What a request did.
  enum Progress: Sendable {
    case step(PerformanceStep)
    /// All places are filled for the first time: whoever hears this decides and calls ``end(_:)``.
    case complete(ExpressionSequence)
  }

  private enum Phase {
    case performing
    /// The service is deciding.
    case deciding
    case over(PerformanceStep.State)
  }

  private enum Source { case frames, claims }

  nonisolated let id: SessionID
  nonisolated let token: SecretDigest
  nonisolated let expires: UnixTime
  nonisolated let purpose: PerformancePurpose
  /// One word for everybody behind the address that began it; nil where nobody is counted.
  nonisolated let caller: String?
  private let needsFrames: Bool
  private let calibrates: Bool
  private let length: Int
  private let tolerance: Interval
  private let deadline: Instant
  private var machine: PerformanceMachine?
  private var track: Observer.Track
  /// Watches the frames where the sender wants that.
  private var passive: PassiveWatch?
  private var phase = Phase.performing
  private var isLooking = false
  private var client: String?
  private var source: Source?
  private var repeated = false
  /// The first pair of the client's and the server's clocks, and the client's last time.
  private var clocks: (client: Interval, server: Instant, last: Interval)?

  init(
    id: SessionID, token: SecretDigest, expires: UnixTime, deadline: Instant, purpose: PerformancePurpose,
    caller: String?, length: Int, needsFrames: Bool, needsPassive: Bool, calibrates: Bool, tolerance: Interval,
    track: Observer.Track
  ) {
    self.id = id
    self.token = token
    self.expires = expires
    self.deadline = deadline
    self.purpose = purpose
    self.caller = caller
    self.length = length
    self.needsFrames = needsFrames
    passive = needsPassive ? PassiveWatch(settings: .live) : nil
    self.calibrates = calibrates
    self.tolerance = tolerance
    self.track = track
  }

  /// False when the frames, which the sender wanted to be watched, are suspect or too few to tell: then nothing is tried.
  var isTrusted: Bool {
    let assessment = passive?.assessment
    guard assessment?.lacksFrames != true else { return false }
    return switch assessment?.outcome {
    case .refused, .notAssessed: false
    case .unsuspicious, .doubtful, nil: true
    }
  }

  /// The steps of a recording that is complete.
  var recording: ExpressionSequence? {
    guard case .over(.recorded) = phase else { return nil }
    return machine?.sequence
  }

  /// Looks at one frame.
  func look(
    at frame: EncodedFrame, entry: FrameLedger.Entry, client: String?, capturedAt: Interval?, with observer: Observer
  ) async throws -> Progress {
    if let final = try admit(client: client, as: .frames) { return .step(final) }
    guard entry != .otherSession else {
      throw ServiceError(.frameReplayed, "This very frame was sent before, for something else. Send live frames only.")
    }
    guard entry == .new else { return .step(step(at: frame.at)) }
    isLooking = true
    defer { isLooking = false }
    if let capturedAt {
      clocks = try LiveCheck<Observer>.checked(clocks, frameAt: capturedAt, now: frame.at, tolerance: tolerance)
    }
    let seen = try await observer.observe(frame, after: track)
    track = seen.track
    passive?.saw(seen.observation)
    return saw([ExpressionSample(seen.observation)], at: frame.at)
  }

  /// Takes what a device says it saw. Nothing is taken when one of the claims is refused.
  func claim(_ claims: [ClaimedObservation], client: String?, at now: Instant) throws -> Progress {
    guard !needsFrames else {
      throw ServiceError(.forbidden, "The sender of this message wants frames: post pictures, not observations.")
    }
    if let final = try admit(client: client, as: .claims) { return .step(final) }
    var clocks = clocks
    for claim in claims {
      clocks = try LiveCheck<Observer>.checked(
        clocks, client: claim.at.since(.zero), now: now, tolerance: tolerance, several: claims.count > 1)
    }
    self.clocks = clocks
    guard let base = clocks else { return .step(step(at: now)) }
    let samples = claims.map { claim in
      var claim = claim
      claim.at = base.server + Interval(nanoseconds: claim.at.since(.zero).nanoseconds &- base.client.nanoseconds)
      return ExpressionSample(claim, source: .phone)
    }
    return saw(samples, at: now)
  }

  /// The decision about a performance that was complete.
  func end(_ state: PerformanceStep.State, at now: Instant) -> PerformanceStep {
    phase = .over(state)
    return step(at: now)
  }

  private func saw(_ samples: [ExpressionSample], at now: Instant) -> Progress {
    for sample in samples {
      switch machine?.saw(sample) {
      case .complete(let sequence):
        phase = .deciding
        return .complete(sequence)
      case .recorded: repeated = false
      case .sameAsBefore: repeated = true
      case .ignored, .calibrating, .inProgress, nil: break
      }
    }
    return .step(step(at: now))
  }

  /// - Returns: the final step, again, when it is over: a reply that was lost on the way can be asked for.
  private func admit(client: String?, as source: Source) throws -> PerformanceStep? {
    if let first = self.client, first != client {
      throw ServiceError(.secondClient, "Another page or app is performing this already. Begin another one.")
    }
    switch phase {
    case .over: return step(at: deadline)
    case .deciding: throw Self.inFlight
    case .performing: break
    }
    guard !isLooking else { throw Self.inFlight }
    guard self.source == nil || self.source == source else {
      throw ServiceError(.mixedSources, "Frames and claimed observations do not mix in one performance.")
    }
    if self.source == nil {
      self.client = client
      self.source = source
      let settings = ExpressionSettings.standard(source == .frames ? .tracker : .phone)
      machine = PerformanceMachine(
        length: length, settings: settings, calibration: calibrates ? CalibrationMachine() : nil)
    }
    return nil
  }

  private static var inFlight: ServiceError {
    ServiceError(
      .frameInFlight, "A frame of this performance is still being looked at. Send the next one when the reply is in.")
  }

  private func step(at now: Instant) -> PerformanceStep {
    let state: PerformanceStep.State
    if case .over(let final) = phase {
      state = final
    } else {
      state = machine?.isCalibrating == true ? .calibrating : .performing
    }
    let progress = machine?.progress
    return PerformanceStep(
      state: state, face: (progress?.face ?? .noFace).rawValue, seen: progress?.seen?.text,
      holdShare: progress.map(\.holdShare) ?? .zero, isNeutralReached: progress?.isNeutralReached == true,
      performed: (machine?.steps ?? []).map(\.text), count: length, repeated: repeated, isClaimed: source == .claims,
      remaining: max(.zero, deadline.since(now)))
  }
}

/// What somebody performs for.
enum PerformancePurpose: Sendable {
  case record
  case open(MessageCode)
}
