package import MienLiveSessions
internal import MienPlatform
internal import MienLiveness
internal import MienExpressions
package import MienCore

/// A person performing expressions in front of a camera, to open a message or to record a sequence. One actor per
/// performance and server; the results are in its ``ActivePerformanceState``.
package actor ActivePerformance: LiveSession {
  /// The effect of a request.
  enum Progress: Sendable {
    case step(PerformanceStep)
    /// All steps were performed for the first time: the receiver decides and calls ``end(_:at:)``.
    case complete(ExpressionSequence)
  }

  package nonisolated let id: CheckID
  package var lease: SessionLease
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
  package var intake: FrameIntake

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
    lease = SessionLease(epoch: hold.epoch, heldSince: heldSince, revision: hold.revision)
    self.deadline = deadline
    self.tolerance = tolerance
    intake = FrameIntake(track: track, after: state.input.lastFrame)
  }

  // MARK: - Saving state

  // The task that decides saves the state of a closed performance.
  package func draft(at now: MonotonicInstant, always: Bool) -> SessionDraft<ActivePerformance>? {
    guard !state.isClosed else { return nil }
    if always { lease.requireSave() }
    return newDraft(at: now)
  }

  /// Returns the state of a closed performance if it is not saved yet.
  func closingDraft(at now: MonotonicInstant) -> SessionDraft<ActivePerformance>? {
    state.isClosed ? newDraft(at: now) : nil
  }

  private func newDraft(at now: MonotonicInstant) -> SessionDraft<ActivePerformance>? {
    guard lease.hasUnsavedChanges else { return nil }
    return SessionDraft(
      session: self, state: state.bytes(at: now), revision: lease.revision, isClosed: state.isClosed)
  }

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
    lease.change()
    state.locked = locked
  }

  // MARK: - Input

  /// Analyzes one frame.
  ///
  /// - Parameters:
  ///   - content: SHA-256 of the bytes that determine the frame's pixels.
  ///   - isRepeated: `true` if the performance received this content before.
  ///   - replayGuard: the frames of all performances.
  ///   - number: the client's number of the frame.
  func processFrame(
    at frame: EncodedFrame, content: [UInt8], isRepeated: Bool, replayGuard: ReplayGuard, client: String?,
    capturedAt: Interval?, number: Int64?, with observer: any FaceTracking
  ) async throws -> Progress {
    if let final = try admit(client: client, as: .frames) { return .step(final) }
    state.input.begin(number)
    guard !isRepeated else { return .step(step(at: frame.at)) }
    intake.begin()
    defer { intake.end() }
    lease.change()
    let time = try state.input.time(
      ofFrame: number, capturedAt: capturedAt, arrived: frame.at, tolerance: tolerance)
    try intake.expectBudget()
    let seen = try await observer.observe(
      EncodedFrame(bytes: frame.bytes, at: time), after: intake.track, in: .live(id))
    let entry = seen.observation.showsFace ? await replayGuard.enter(content, by: id) : nil
    guard
      let observation = try intake.accept(
        seen, entry: entry, orExplain: "This very frame was sent before, for something else. Send live frames only.")
    else { return .step(step(at: frame.at)) }
    if entry != nil { state.input.receive(content) }
    state.passive?.process(observation, arrived: intake.arrival(frame.at))
    return process([ExpressionSample(observation)], at: frame.at)
  }

  /// Processes observations reported by the client. If one of them is rejected, none is processed.
  func claim(_ claims: [ClientObservation], client: String?, at now: MonotonicInstant) throws -> Progress {
    guard !state.needsFrames else {
      throw ServiceError(
        .sourceNotAllowed, "This message opens on frames only. Send JPEG or PNG frames instead of observations.")
    }
    if let final = try admit(client: client, as: .claims) { return .step(final) }
    let samples = try state.input.timed(claims, at: now, tolerance: tolerance).map {
      ExpressionSample($0, source: .phone)
    }
    guard !samples.isEmpty else { return .step(step(at: now)) }
    return process(samples, at: now)
  }

  /// Ends a complete performance with the decision.
  func end(_ end: PerformanceStep.State, at now: MonotonicInstant) -> PerformanceStep {
    lease.change()
    state.end(end)
    return step(at: now)
  }

  private func process(_ samples: [ExpressionSample], at now: MonotonicInstant) -> Progress {
    lease.change()
    for sample in samples {
      switch state.machine?.process(sample) {
      case .complete(let sequence):
        state.decide()
        return .complete(sequence)
      case .recorded: state.repeated = false
      case .sameAsBefore: state.repeated = true
      case .ignored, .inProgress, nil: break
      }
    }
    return .step(step(at: now))
  }

  /// - Returns: the final step if the performance is over, so that a lost response can be requested again.
  private func admit(client: String?, as source: ActivePerformanceState.Source) throws -> PerformanceStep? {
    try expectSender(client)
    switch state.phase {
    case .over: return step(at: deadline)
    case .deciding: throw ServiceError(.frameInFlight, Self.frameInFlightReason)
    case .performing: break
    }
    guard source == .frames || !intake.isProcessing else {
      throw ServiceError(.frameInFlight, Self.frameInFlightReason)
    }
    guard state.source == nil || state.source == source else {
      throw ServiceError(.mixedSources, "Frames and claimed observations do not mix in one performance.")
    }
    if state.source == nil {
      lease.change()
      state.begin(with: source, from: client)
    }
    return nil
  }

  package static let frameInFlightReason =
    "A frame of this performance is still being analyzed. Send the next one after the response, or number the frames."

  package func expectSender(_ client: String?) throws {
    try state.input.expectClient(
      client, orExplain: "Another page or app is already performing this. Start another one.")
  }

  /// Returns the current step for a frame that was received before, and whose response may have been lost.
  func repeatedStep(at now: MonotonicInstant, of client: String?) throws -> PerformanceStep {
    try expectSender(client)
    return step(at: now)
  }

  private func step(at now: MonotonicInstant) -> PerformanceStep {
    let machine = state.machine
    let told: PerformanceStep.State = if case .over(let final) = state.phase { final } else { .performing }
    let progress = machine?.progress
    return PerformanceStep(
      state: told, face: (progress?.face ?? .noFace).rawValue, seen: progress?.seen?.text,
      holdShare: progress.map(\.holdShare) ?? .zero, isNeutralReached: progress?.isNeutralReached == true,
      performed: (machine?.steps ?? []).map(\.text), count: state.length, repeated: state.repeated,
      isClaimed: state.source == .claims, remaining: max(.zero, deadline.since(now)))
  }
}
