internal import MienChallenges
internal import MienExpressions
internal import MienModel

/// One person performing in front of a camera: for a message that is to be opened, or to record a sequence. One actor per
/// performance and server; what it comes to is in its ``LivePerformanceState``.
actor LivePerformance<Observer: FaceObserver> {
  /// What a request did.
  enum Progress: Sendable {
    case step(PerformanceStep)
    /// All places are filled for the first time: whoever hears this decides and calls ``end(_:at:)``.
    case complete(ExpressionSequence)
  }

  /// The state of a performance at one moment, to be kept.
  struct Draft: Sendable {
    let performance: LivePerformance<Observer>
    let state: [UInt8]
    let revision: Int
    let isClosed: Bool
  }

  nonisolated let id: SessionID
  nonisolated let token: SecretDigest
  nonisolated let expires: UnixTime
  nonisolated let purpose: PerformancePurpose
  nonisolated let caller: String?
  nonisolated let seal: PerformanceSeal
  /// Under which this server holds the performance.
  nonisolated let epoch: Int
  private let tolerance: Interval
  private let deadline: Instant
  private var state: LivePerformanceState
  private var track: Observer.Track
  private var isLooking = false
  /// Of this server alone: another one that goes on with the performance has models of its own.
  private var budget = ProcessingBudget()
  /// One more with each change, and the one that is in what was kept.
  private var revision: Int
  private var keptRevision: Int
  /// From when on the performance is this server's for a while.
  private var heldSince: Instant

  /// - Parameters:
  ///   - hold: how the performance is this server's.
  ///   - heldSince: when this server began to take it.
  ///   - deadline: when its time is over.
  init(
    _ state: LivePerformanceState, of id: SessionID, token: SecretDigest, seal: PerformanceSeal,
    hold: TakenPerformance.Hold, heldSince: Instant, deadline: Instant, tolerance: Interval, track: Observer.Track
  ) {
    self.id = id
    self.token = token
    self.seal = seal
    self.state = state
    expires = state.expires
    purpose = state.purpose
    caller = state.caller
    epoch = hold.epoch
    revision = hold.revision
    keptRevision = hold.revision
    self.heldSince = heldSince
    self.deadline = deadline
    self.tolerance = tolerance
    self.track = track
  }

  // MARK: - Being kept

  /// The state, when something came since it was kept, or `always`; nil once it is closed, which whoever decides keeps.
  func draft(at now: Instant, always: Bool = false) -> Draft? {
    guard !state.isClosed else { return nil }
    if always { revision = max(revision, keptRevision + 1) }
    return newDraft(at: now)
  }

  /// The state of a performance that is closed, when it was not kept yet.
  func closingDraft(at now: Instant) -> Draft? { state.isClosed ? newDraft(at: now) : nil }

  private func newDraft(at now: Instant) -> Draft? {
    guard revision > keptRevision else { return nil }
    return Draft(performance: self, state: state.bytes(at: now), revision: revision, isClosed: state.isClosed)
  }

  /// The state was kept, by what began at this instant.
  func wasKept(_ draft: Draft, since began: Instant) {
    keptRevision = max(keptRevision, draft.revision)
    heldSince = max(heldSince, began)
  }

  /// True when a newer state was kept meanwhile.
  func isNewer(than draft: Draft) -> Bool { keptRevision >= draft.revision }

  /// True when another server may soon take the performance for abandoned.
  func mustBeKept(at now: Instant) -> Bool { now.since(heldSince) > LiveHold.lease }

  // MARK: - What it has come to

  /// False when the frames, which the sender wanted to be watched, are suspect or too few to tell: then nothing is tried.
  var isTrusted: Bool {
    let assessment = state.passive?.assessment
    guard assessment?.lacksFrames != true else { return false }
    return switch assessment?.outcome {
    case .refused, .notAssessed: false
    case .unsuspicious, .doubtful, nil: true
    }
  }

  /// The steps of a recording that is complete.
  var recording: ExpressionSequence? { state.recording }

  /// The message that the recording locks.
  var locked: LivePerformanceState.Locked? { state.locked }

  /// The recording is about to lock a message.
  func lock(_ locked: LivePerformanceState.Locked) {
    revision += 1
    state.locked = locked
  }

  // MARK: - What it is told

  /// Looks at one frame.
  ///
  /// - Parameter content: SHA-256 of the bytes that decide the frame's pixels.
  func look(
    at frame: EncodedFrame, content: [UInt8], entry: FrameLedger.Entry, client: String?, capturedAt: Interval?,
    with observer: Observer
  ) async throws -> Progress {
    if let final = try admit(client: client, as: .frames) { return .step(final) }
    guard entry != .sameSession else { return .step(step(at: frame.at)) }
    isLooking = true
    defer { isLooking = false }
    revision += 1
    if entry == .new { state.receive(content) }
    if let capturedAt {
      state.clocks = try LiveCheck<Observer>.checked(
        state.clocks, frameAt: capturedAt, now: frame.at, tolerance: tolerance)
    }
    try budget.admit()
    let seen = try await observer.observe(frame, after: track, in: .live(id))
    if entry == .otherSession {
      // An image without a face is no evidence, and a covered camera sends the same one for everybody.
      guard seen.observation.face == nil, seen.observation.faceCount == 0 else {
        budget.use(seen.took)
        throw ServiceError(
          .frameReplayed, "This very frame was sent before, for something else. Send live frames only.")
      }
      state.receive(content)
    }
    track = seen.track
    budget.use(seen.took)
    state.passive?.saw(seen.observation)
    return saw([ExpressionSample(seen.observation)], at: frame.at)
  }

  /// Takes what a device says it saw. Nothing is taken when one of the claims is refused.
  func claim(_ claims: [ClaimedObservation], client: String?, at now: Instant) throws -> Progress {
    guard !state.needsFrames else {
      throw ServiceError(
        .sourceNotAllowed, "This message opens on frames only. Send JPEG or PNG frames instead of observations.")
    }
    if let final = try admit(client: client, as: .claims) { return .step(final) }
    var clocks = state.clocks
    for claim in claims {
      clocks = try LiveCheck<Observer>.checked(
        clocks, client: claim.at.since(.zero), now: now, tolerance: tolerance, several: claims.count > 1)
    }
    state.clocks = clocks
    guard let base = clocks else { return .step(step(at: now)) }
    let samples = claims.map { claim in
      var claim = claim
      claim.at = base.server + Interval(nanoseconds: claim.at.since(.zero).nanoseconds &- base.client.nanoseconds)
      return ExpressionSample(claim, source: .phone)
    }
    return saw(samples, at: now)
  }

  /// The decision about a performance that was complete.
  func end(_ end: PerformanceStep.State, at now: Instant) -> PerformanceStep {
    revision += 1
    state.end(end)
    return step(at: now)
  }

  private func saw(_ samples: [ExpressionSample], at now: Instant) -> Progress {
    revision += 1
    for sample in samples {
      switch state.machine?.saw(sample) {
      case .complete(let sequence):
        state.decide()
        return .complete(sequence)
      case .recorded: state.repeated = false
      case .sameAsBefore: state.repeated = true
      case .ignored, .calibrating, .inProgress, nil: break
      }
    }
    return .step(step(at: now))
  }

  /// - Returns: the final step, again, when it is over: a reply that was lost on the way can be asked for.
  private func admit(client: String?, as source: LivePerformanceState.Source) throws -> PerformanceStep? {
    // One that gives no name is a client as well.
    let client = client ?? ""
    if let first = state.client, first != client {
      throw ServiceError(.secondClient, "Another page or app is performing this already. Begin another one.")
    }
    switch state.phase {
    case .over: return step(at: deadline)
    case .deciding: throw Self.inFlight
    case .performing: break
    }
    try expectIdle()
    guard state.source == nil || state.source == source else {
      throw ServiceError(.mixedSources, "Frames and claimed observations do not mix in one performance.")
    }
    if state.source == nil {
      revision += 1
      state.begin(with: source, from: client)
    }
    return nil
  }

  /// Refuses another frame while one is looked at; asked before the other one's body is read.
  func expectIdle() throws {
    guard !isLooking else { throw Self.inFlight }
  }

  private static var inFlight: ServiceError {
    ServiceError(
      .frameInFlight, "A frame of this performance is still being looked at. Send the next one when the reply is in.")
  }

  private func step(at now: Instant) -> PerformanceStep {
    let machine = state.machine
    let told: PerformanceStep.State
    if case .over(let final) = state.phase {
      told = final
    } else {
      told = machine?.isCalibrating == true ? .calibrating : .performing
    }
    let progress = machine?.progress
    return PerformanceStep(
      state: told, face: (progress?.face ?? .noFace).rawValue, seen: progress?.seen?.text,
      holdShare: progress.map(\.holdShare) ?? .zero, isNeutralReached: progress?.isNeutralReached == true,
      performed: (machine?.steps ?? []).map(\.text), count: state.length, repeated: state.repeated,
      isClaimed: state.source == .claims, remaining: max(.zero, deadline.since(now)))
  }
}
