internal import MienChecks
internal import MienPlatform
internal import MienLiveness
internal import MienExpressions
internal import MienCore

/// A person performing expressions in front of a camera, to open a message or to record a sequence. One actor per
/// performance and server; the results are in its ``ActivePerformanceState``.
actor ActivePerformance {
  /// The effect of a request.
  enum Progress: Sendable {
    case step(PerformanceStep)
    /// All steps were performed for the first time: the receiver decides and calls ``end(_:at:)``.
    case complete(ExpressionSequence)
  }

  /// A snapshot of the performance's state, to be saved.
  struct Draft: Sendable {
    let performance: ActivePerformance
    let state: [UInt8]
    let revision: Int
    let isClosed: Bool
  }

  nonisolated let id: CheckID
  nonisolated let token: SecretDigest
  nonisolated let expires: UnixTime
  nonisolated let purpose: PerformancePurpose
  nonisolated let caller: String?
  nonisolated let keyring: PerformanceStateCipher
  /// Lease epoch under which this server holds the performance.
  nonisolated let epoch: Int
  private let tolerance: Interval
  private let deadline: MonotonicInstant
  private var state: ActivePerformanceState
  private var track: FaceTrack
  private var isProcessing = false
  /// Specific to this server: another server that resumes the performance has models of its own.
  private var budget = ProcessingBudget()
  /// Revision of the state, incremented with each change, and the last saved one.
  private var revision: Int
  private var savedRevision: Int
  /// Start of this server's current lease.
  private var heldSince: MonotonicInstant

  /// - Parameters:
  ///   - hold: this server's lease.
  ///   - heldSince: time at which this server began to acquire the performance.
  ///   - deadline: time at which the performance expires.
  init(
    _ state: ActivePerformanceState, of id: CheckID, token: SecretDigest, keyring: PerformanceStateCipher,
    hold: PerformanceLease.Hold, heldSince: MonotonicInstant, deadline: MonotonicInstant, tolerance: Interval,
    track: FaceTrack
  ) {
    self.id = id
    self.token = token
    self.keyring = keyring
    self.state = state
    expires = state.expires
    purpose = state.purpose
    caller = state.caller
    epoch = hold.epoch
    revision = hold.revision
    savedRevision = hold.revision
    self.heldSince = heldSince
    self.deadline = deadline
    self.tolerance = tolerance
    self.track = track
  }

  // MARK: - Saving state

  /// Returns the current state if it changed since the last save, or if `always` is `true`. Returns `nil` otherwise and
  /// once the performance is closed: the task that decides saves it then.
  func draft(at now: MonotonicInstant, always: Bool = false) -> Draft? {
    guard !state.isClosed else { return nil }
    if always { revision = max(revision, savedRevision + 1) }
    return newDraft(at: now)
  }

  /// Returns the state of a closed performance if it is not saved yet.
  func closingDraft(at now: MonotonicInstant) -> Draft? { state.isClosed ? newDraft(at: now) : nil }

  private func newDraft(at now: MonotonicInstant) -> Draft? {
    guard revision > savedRevision else { return nil }
    return Draft(performance: self, state: state.bytes(at: now), revision: revision, isClosed: state.isClosed)
  }

  /// Records that a draft was saved by a write that began at `began`, and renews the lease from then on.
  func wasSaved(_ draft: Draft, since began: MonotonicInstant) {
    savedRevision = max(savedRevision, draft.revision)
    heldSince = max(heldSince, began)
  }

  /// Returns `true` if this state or a newer one was saved in the meantime.
  func isNewer(than draft: Draft) -> Bool { savedRevision >= draft.revision }

  /// Returns `true` if the lease is so old that another server may soon consider the performance abandoned.
  func mustBeKept(at now: MonotonicInstant) -> Bool { now.since(heldSince) > LeaseTiming.lease }

  // MARK: - Results

  /// `false` if the sender requires passive signals and the frames are suspect or too few to assess: then nothing is
  /// tried.
  var isTrusted: Bool {
    let assessment = state.passive?.assessment
    guard assessment?.lacksFrames != true else { return false }
    return switch assessment?.outcome {
    case .refused, .notAssessed: false
    case .unsuspicious, .doubtful, nil: true
    }
  }

  /// Steps of a complete recording.
  var recording: ExpressionSequence? { state.recording }

  /// The message locked with the recording.
  var locked: ActivePerformanceState.Locked? { state.locked }

  /// Records that the recording is about to lock a message.
  func lock(_ locked: ActivePerformanceState.Locked) {
    revision += 1
    state.locked = locked
  }

  // MARK: - Input

  /// Analyzes one frame.
  ///
  /// - Parameter content: SHA-256 of the bytes that determine the frame's pixels.
  func processFrame(
    at frame: EncodedFrame, content: [UInt8], entry: ReplayGuard.Entry, client: String?, capturedAt: Interval?,
    with observer: any FaceTracking
  ) async throws -> Progress {
    if let final = try admit(client: client, as: .frames) { return .step(final) }
    guard entry != .sameSession else { return .step(step(at: frame.at)) }
    isProcessing = true
    defer { isProcessing = false }
    revision += 1
    if entry == .new { state.receive(content) }
    if let capturedAt {
      state.clocks = try ActiveCheck.checked(
        state.clocks, frameAt: capturedAt, now: frame.at, tolerance: tolerance)
    }
    try budget.admit()
    let seen = try await observer.observe(frame, after: track, in: .live(id))
    if entry == .otherSession {
      // An image without a face proves nothing, and a covered camera sends the same image in every performance.
      guard seen.observation.face == nil, seen.observation.faceCount == 0 else {
        budget.use(seen.took)
        throw ServiceError(
          .frameReplayed, "This very frame was sent before, for something else. Send live frames only.")
      }
      state.receive(content)
    }
    track = seen.track
    budget.use(seen.took)
    state.passive?.process(seen.observation)
    return process([ExpressionSample(seen.observation)], at: frame.at)
  }

  /// Processes observations reported by the client. If one of them is rejected, none is processed.
  func claim(_ claims: [ClientObservation], client: String?, at now: MonotonicInstant) throws -> Progress {
    guard !state.needsFrames else {
      throw ServiceError(
        .sourceNotAllowed, "This message opens on frames only. Send JPEG or PNG frames instead of observations.")
    }
    if let final = try admit(client: client, as: .claims) { return .step(final) }
    var clocks = state.clocks
    for claim in claims {
      clocks = try ActiveCheck.checked(
        clocks, client: claim.at.since(.zero), now: now, tolerance: tolerance, several: claims.count > 1)
    }
    state.clocks = clocks
    guard let base = clocks else { return .step(step(at: now)) }
    let samples = claims.map { claim in
      var claim = claim
      claim.at = base.server + Interval(nanoseconds: claim.at.since(.zero).nanoseconds &- base.client.nanoseconds)
      return ExpressionSample(claim, source: .phone)
    }
    return process(samples, at: now)
  }

  /// Ends a complete performance with the decision.
  func end(_ end: PerformanceStep.State, at now: MonotonicInstant) -> PerformanceStep {
    revision += 1
    state.end(end)
    return step(at: now)
  }

  private func process(_ samples: [ExpressionSample], at now: MonotonicInstant) -> Progress {
    revision += 1
    for sample in samples {
      switch state.machine?.process(sample) {
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

  /// - Returns: the final step if the performance is over, so that a lost response can be requested again.
  private func admit(client: String?, as source: ActivePerformanceState.Source) throws -> PerformanceStep? {
    // A client without a name counts as a client as well.
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

  /// Throws if a frame is being processed. Called before the body of the next frame is read.
  func expectIdle() throws {
    guard !isProcessing else { throw Self.inFlight }
  }

  private static var inFlight: ServiceError {
    ServiceError(
      .frameInFlight, "A frame of this performance is still being looked at. Send the next one when the reply is in.")
  }

  private func step(at now: MonotonicInstant) -> PerformanceStep {
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
