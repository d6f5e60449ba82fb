internal import MienFaceMatch
internal import MienPlatform
package import MienLiveSessions
internal import MienLiveness
package import MienCore

/// A check in progress: its state machine, face track and client. One actor per check.
package actor ActiveCheck: LiveSession {
  /// The effect of a request on the check.
  struct Progress: Sendable {
    var step: CheckStep
    /// Set once the check is decided. The service saves it before returning it to any client.
    var result: CheckResult?
    /// `false` if nothing was evaluated, for example because the frame repeats an earlier frame of this check.
    var judged: Bool
  }

  nonisolated let record: CheckRecord
  package nonisolated var id: CheckID { record.id }
  package var lease: SessionLease
  /// Lease epoch under which this server holds the check.
  nonisolated let epoch: Int
  private let settings: ServiceSettings
  /// Depth thresholds used for this check; `nil` if the person is not enrolled.
  nonisolated let thresholds: DepthThresholds?
  private var state: ActiveCheckState
  package var intake: FrameIntake
  private var outline: [SIMD2<Float>] = []
  private var result: CheckResult?
  /// Selects the images to store; `nil` if no images were requested.
  private var auditImages: AuditImageSelector?
  /// Recognizes a covered face; like the track, known to this server alone.
  private var cover = FaceCoverDetector()
  /// Content digests of the last frames without a face, as many as may be under way: the response to one may be lost.
  private var recentWithoutFace: [[UInt8]] = []
  /// Frames of earlier checks of this server.
  private let earlierChecks: EarlierChecks
  /// Frames of this check, as seen by this server alone, like the track.
  private var frames = DistinctFrames()
  /// Result of the comparison with earlier checks; `nil` until the tasks are passed.
  private var replay: Finding?
  nonisolated let keepsImages: Bool
  /// Compares faces; `nil` on a server without the recognition model.
  private let comparer: FaceComparer?
  /// The person's template; `nil` if the check does not use it or there is none.
  nonisolated let template: EnrolledTemplate?

  /// - Parameters:
  ///   - state: initial or restored state of the check.
  ///   - heldSince: time at which this server began to acquire the check.
  init(
    _ state: ActiveCheckState, epoch: Int, heldSince: MonotonicInstant, thresholds: DepthThresholds?,
    track: FaceTrack,
    earlierChecks: EarlierChecks, auditImages: AuditImageSelector? = nil, comparer: FaceComparer? = nil,
    template: EnrolledTemplate? = nil
  ) {
    self.template = template
    self.comparer = comparer
    self.earlierChecks = earlierChecks
    record = state.record
    settings = state.settings
    self.state = state
    self.epoch = epoch
    lease = SessionLease(epoch: epoch, heldSince: heldSince)
    self.auditImages = auditImages
    keepsImages = auditImages != nil
    self.thresholds = thresholds
    intake = FrameIntake(track: track, after: state.input.lastFrame)
  }

  package func draft(at now: MonotonicInstant, always: Bool) -> SessionDraft<ActiveCheck>? {
    guard result == nil else { return nil }
    if always { lease.requireSave() }
    guard lease.hasUnsavedChanges else { return nil }
    return SessionDraft(session: self, state: state.bytes(at: now), revision: lease.revision)
  }

  // MARK: - Input

  /// Analyzes one frame and advances the check.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of the frame's bytes.
  ///   - content: SHA-256 of the bytes that determine its pixels.
  ///   - isRepeated: `true` if the check received this content before.
  ///   - replayGuard: the frames of all checks.
  ///   - number: the client's number of the frame.
  func processFrame(
    at frame: EncodedFrame, digest: [UInt8], content: [UInt8], isRepeated: Bool, replayGuard: ReplayGuard,
    client: String?,
    capturedAt: Interval?, number: Int64?,
    with observer: any FaceTracking,
    clock: any ServiceClock
  ) async throws -> Progress {
    try admit(client: client, as: .observed)
    lease.change()
    state.input.begin(number)
    // The chain commits to every frame, including rejected ones and data that is not an image.
    state.receive(digest)
    guard !isRepeated else { return repeated(at: frame.at, clock: clock) }
    intake.begin()
    defer { intake.end() }
    let time = try state.input.time(
      ofFrame: number, capturedAt: capturedAt, arrived: frame.at, tolerance: settings.clockTolerance)
    try intake.expectBudget()
    let seen = try await observer.observe(
      EncodedFrame(bytes: frame.bytes, at: time, measuresLight: state.machine.measuresLight), after: intake.track,
      in: .live(record.id, aligningFace: comparesFace(at: time)))
    let entry = seen.observation.showsFace ? await replayGuard.enter(content, by: record.id) : nil
    guard
      let observation = try intake.accept(
        seen, entry: entry, orExplain: "This very frame was sent to another check before. Send live frames only.")
    else { return repeated(at: frame.at, clock: clock) }
    if entry == nil { remember(content) } else { state.input.receive(content) }
    let template = await template(of: observation)
    lease.change()
    state.frames += 1
    outline = Self.outline(of: observation)
    // Timing signals use the time at which the frame arrived on the server's clock, not the time at which a model became
    // available. The times of a client are no evidence of regular intervals.
    if settings.passive != .off {
      if state.passive == nil { state.passive = PassiveSignalMonitor(settings: settings.passiveSettings) }
      state.passive?.process(observation, arrived: intake.arrival(frame.at))
    }
    if settings.replays != .off, isOnePerson { frames.process(observation) }
    var machine = state.machine
    let earlierRequest = machine.request
    cover.process(observation)
    let hints = settings.framing.hints(for: observation, isCovered: cover.isCovered)
    if let capturedAt, observation.faceCount == 1, let pose = observation.face?.pose {
      state.devicePoses?.observe(pose, at: capturedAt)
    }
    state.conditions.process(observation, hints: hints, isResting: machine.state != .tracking)
    machine.process(TaskSample(observation), hints: hints)
    if machine.asksAnew(since: earlierRequest) { state.passive?.promptChanged(at: observation.at) }
    // Compares the check with earlier ones before its state, from which the verdict follows, becomes visible.
    if case .passed = machine.state, settings.replays != .off {
      replay = await earlierChecks.compare(frames, of: record.id, person: record.person, at: clock.timeOfDay())
    }
    state.machine = machine
    // Before the first task, people may come and go: a face seen then need not be the one that performs the tasks.
    if !isOnePerson {
      auditImages?.clearReference()
      state.onePerson.restart()
    } else if let template, let quality = AuditImageSelector.quality(of: observation) {
      state.onePerson.process(template, quality: quality, at: time)
    }
    auditImages?.offer(frame.bytes, observation, mayBeReference: isOnePerson && !cover.isCovered)
    return progress(at: frame.at, judged: true, clock: clock)
  }

  /// Processes a frame that repeats an earlier one: it only advances time.
  private func repeated(at now: MonotonicInstant, clock: any ServiceClock) -> Progress {
    state.machine.processRepetition(at: now)
    return progress(at: now, judged: false, clock: clock)
  }

  /// `true` if a frame was received before under this number and with this content, and its response may have been lost.
  ///
  /// - Parameter isRepeated: `true` if the check received a frame with a face and this content before.
  func isKnown(_ content: [UInt8], as number: Int64, isRepeated: Bool) -> Bool {
    intake.isUsed(number) && (isRepeated || recentWithoutFace.contains(content))
  }

  private func remember(_ content: [UInt8]) {
    recentWithoutFace.append(content)
    if recentWithoutFace.count > FrameSequence.maximumWindow { recentWithoutFace.removeFirst() }
  }

  /// `true` while the check requires the face to remain the same person's: during the depth measurement, and from the
  /// start of the first task on.
  private var isOnePerson: Bool {
    switch state.machine.state {
    case .tracking, .passed, .depth: true
    case .instructing: state.machine.position.index > 0
    case .positioning, .failed, .timedOut: false
    }
  }

  /// `true` if the face of a frame at this time is to be compared with that of earlier frames, or with a reference.
  private func comparesFace(at time: MonotonicInstant) -> Bool {
    guard comparer != nil, settings.personChange != .off || record.needsTemplates else { return false }
    return isOnePerson && state.onePerson.isDue(at: time)
  }

  /// Returns the template of a frame's face; `nil` if it was not cut out or cannot be compared. A face that could not
  /// be compared in time is not an error: the next one is.
  private func template(of observation: FaceObservation) async -> FaceTemplate? {
    guard let comparer, let aligned = observation.aligned, comparer.gate.problem(of: observation) == nil else {
      return nil
    }
    return try? await comparer.matcher.template(of: aligned)
  }

  /// Finding about whether the face remained the same person's; `nil` if that is not monitored.
  private var onePerson: Finding? {
    guard comparer != nil, settings.personChange != .off, state.source == .observed else { return nil }
    return state.onePerson.finding
  }

  /// Finding about the reference, for a check that passes; `nil` if there is none.
  private var match: Finding? {
    guard record.comparesFace else { return nil }
    guard let reference = record.faceReference ?? template?.face else {
      return Finding(check: ReferenceMatch.check, result: .notAssessed(.templateDeleted))
    }
    guard !reference.isDeclined else { return ReferenceMatch.declined }
    guard let comparer, let template = reference.template else {
      return Finding(check: ReferenceMatch.check, result: .notAssessed(.modelUnavailable(FaceTemplate.model)))
    }
    return ReferenceMatch.finding(of: state.onePerson.best, against: template, threshold: comparer.threshold)
  }

  /// Evaluates observations reported by the client. If one of them is rejected, none is evaluated.
  func claim(_ claims: [ClientObservation], client: String?, at now: MonotonicInstant, clock: any ServiceClock) throws
    -> Progress
  {
    try admit(client: client, as: .claimed)
    for claim in try state.input.timed(claims, at: now, tolerance: settings.clockTolerance) {
      state.machine.process(TaskSample(claim), hints: settings.framing.hints(for: claim))
    }
    lease.change()
    state.frames += claims.count
    // A device may lag by at most the tolerance; the time limit advances regardless.
    state.machine.tick(at: now + Interval(nanoseconds: -settings.clockTolerance.nanoseconds))
    return progress(at: now, judged: true, clock: clock)
  }

  /// Compares observations reported by the client with the server's own observations of its frames. They never decide.
  func compare(_ claims: [ClientObservation], client: String?, at now: MonotonicInstant, clock: any ServiceClock) throws
    -> Progress
  {
    try expectSender(client)
    state.input.bind(to: client)
    lease.change()
    for claim in claims {
      guard claim.hasFace, claim.faceCount.map({ $0 == 1 }) != false, let pose = claim.pose else { continue }
      state.devicePoses?.claim(pose, at: claim.at.since(.zero))
    }
    return progress(at: now, judged: false, clock: clock)
  }

  /// Evaluates one depth capture, also while a frame is being analyzed: with several frames under way, one always is.
  func depth(_ frame: DepthFrame, client: String?, at now: MonotonicInstant, clock: any ServiceClock) throws -> Progress
  {
    guard record.expectsDepth else {
      throw ServiceError(.badValue, "This check was created without depth. Create it with \"depth\": true.")
    }
    try expectSender(client)
    state.input.bind(to: client)
    lease.change()
    state.machine.process(depth: DepthMeasurementResult(frame), at: now, advancesTime: !intake.isProcessing)
    return progress(at: now, judged: true, clock: clock)
  }

  /// Replaces the current task by its alternative when the person declines it. A repeated request has no effect.
  func decline(client: String?, at now: MonotonicInstant, clock: any ServiceClock) throws -> Progress {
    // Also while a frame is being processed: with several under way, one always is.
    try expectSender(client)
    state.input.bind(to: client)
    guard state.machine.task != nil else {
      throw ServiceError(.badValue, "No task of this check has been announced yet, so there is none to decline.")
    }
    lease.change()
    state.machine.decline(at: now)
    return progress(at: now, judged: true, clock: clock)
  }

  /// Advances time without a frame.
  func tick(at now: MonotonicInstant, clock: any ServiceClock) -> Progress {
    if !intake.isProcessing { state.machine.tick(at: now) }
    return progress(at: now, judged: false, clock: clock)
  }

  /// Ends an expired check and records its result, because letting a check expire counts as an attempt.
  ///
  /// - Returns: `nil` while a frame is being processed, because its verdict takes precedence. The `result` is `nil` if
  ///   nothing was ever evaluated.
  func expire(at now: MonotonicInstant, clock: any ServiceClock) -> Progress? {
    guard !intake.isProcessing else { return nil }
    state.machine.tick(at: now)
    let usual = progress(at: now, judged: false, clock: clock)
    guard result == nil, reportedSource != .none else { return usual }
    let match = record.faceReference?.isDeclined == true ? ReferenceMatch.declined : ReferenceMatch.notLive
    let findings = state.machine.findings + (record.comparesFace ? [match] : [])
    result = Self.result(
      .timedOut(because: "expired", findings), decided: clock.timeOfDay(), source: reportedSource,
      basis: basis, frames: state.frames, evidence: state.machine.evidence, received: state.received,
      settings: settings.version,
      previousAttempts: state.previousAttempts, side: state.attempt.side == record.side ? nil : state.attempt.side,
      feedback: state.conditions.feedback(on: "expired"))
    return progress(at: now, judged: false, clock: clock)
  }

  /// Source of the evaluated observations. A depth map is reported by the device: a check that passed by depth alone,
  /// or in which nothing else was evaluated, counts as `claimed`, even if frames were sent.
  private var reportedSource: CheckResult.Source { isBasedOnDepth ? .claimed : state.source }

  private var basis: VerdictBasis { isBasedOnDepth ? .depth : state.source.basis }

  private var isBasedOnDepth: Bool {
    if state.machine.isPassedByDepth { return true }
    guard state.source == .none else { return false }
    switch state.machine.gate.finding?.result {
    case .genuine, .suspect: return true
    case .notAssessed, nil: return false
    }
  }

  /// `true` if images were requested and none of the face can be stored; such a check cannot pass.
  private var lacksImage: Bool {
    if let auditImages { return !auditImages.hasReference }
    return record.auditImages != nil
  }

  /// Returns the result if the check is decided and no frame is being processed. The service saves it and then releases
  /// this actor.
  func resultToSave() -> CheckResult? { intake.isProcessing ? nil : result }

  /// Returns the images to store with a result; empty if none were requested.
  func images(for result: CheckResult) -> [StoredImage] {
    guard let auditImages else { return [] }
    return auditImages.images(passed: result.outcome == .passed)
  }

  /// Returns the template of the best frames, from which the person can be enrolled; `nil` if the check was not created
  /// for that, did not pass on frames, had too few suitable ones, or shows several persons or another one than its
  /// reference.
  func templateToKeep(for result: CheckResult) -> FaceReference? {
    guard settings.keepsTemplates, record.templateUse == .enroll, result.outcome == .passed, result.source == .observed,
      state.onePerson.best.count >= MatchSeries.least
    else { return nil }
    if record.faceReference != nil {
      guard case .genuine? = result.findings.first(where: { $0.check == ReferenceMatch.check })?.result else {
        return nil
      }
    }
    if case .suspect = state.onePerson.finding.result { return nil }
    return FaceTemplate.mean(of: state.onePerson.best).map { FaceReference($0) }
  }

  /// Returns the frames of an undecided or failed check, to be stored for comparison; `nil` if they were compared and thereby stored.
  func framesToRemember() -> DistinctFrames? { replay == nil ? frames : nil }

  /// Returns the person's thresholds, adapted slightly to this check; `nil` unless it was accepted by depth.
  func learnedThresholds() -> DepthThresholds? {
    guard result?.outcome == .passed, let thresholds, let accepted = state.machine.gate.accepted
    else { return nil }
    return thresholds.updated(with: accepted, settings.enrollment)
  }

  package static let frameInFlightReason =
    "A frame of this check is still being processed. Send the next one after its response, or number the frames."

  package func expectSender(_ client: String?) throws {
    if let result { throw AlreadyDecidedError(result: result) }
    try state.input.expectClient(
      client, orExplain: "Another page or app is doing this check already. Create a check for each.")
  }

  /// Returns the current step for a frame that was received before, and whose response may have been lost.
  func repeatedStep(at now: MonotonicInstant, of client: String?) throws -> CheckStep {
    try expectSender(client)
    return step(at: now)
  }

  private func admit(client: String?, as source: CheckResult.Source) throws {
    try expectSender(client)
    guard source == .observed || !intake.isProcessing else {
      throw ServiceError(.frameInFlight, Self.frameInFlightReason)
    }
    try allow(source)
    guard state.source == .none || state.source == source else {
      throw ServiceError(
        .mixedSources, "This check is judged on \(state.source.rawValue) observations; the two kinds do not mix.")
    }
    state.source = source
    state.input.bind(to: client)
  }

  /// Rejects observations that the check was not created for or that this server no longer allows.
  private func allow(_ source: CheckResult.Source) throws {
    switch source {
    case .observed where !record.sources.contains(.observed):
      throw ServiceError(
        .sourceNotAllowed,
        "This check was created without frames. Create it with \"observed\" among its \"sources\" to send some.")
    case .claimed where !record.sources.contains(.claimed):
      throw ServiceError(
        .sourceNotAllowed,
        "This check is judged on frames. Send JPEG or PNG frames, or create the check with \"sources\": [\"claimed\"].")
    case .claimed where !settings.allowsClaims: throw ServiceError.claimsNotAllowed
    case .observed, .claimed, .none: break
    }
  }

  private func progress(at now: MonotonicInstant, judged: Bool, clock: (any ServiceClock)? = nil) -> Progress {
    let verdict = VerdictPolicy.verdict(
      on: state.machine, of: record.id, passive: { state.passive?.assessment }, earlier: replay,
      lacksImage: lacksImage, refuses: settings.passive == .refuse, refusesReplays: settings.replays == .refuse,
      onePerson: onePerson, refusesChange: settings.personChange == .refuse, match: match,
      devicePoses: state.devicePoses?.finding)
    if result == nil, let clock, let verdict, !tryAgain(after: verdict, clock: clock) {
      let reason: String? =
        switch verdict {
        case .accepted: nil
        case .refused(let because, _), .timedOut(let because, _): because
        }
      result = Self.result(
        verdict, decided: clock.timeOfDay(), source: reportedSource, basis: basis, frames: state.frames,
        evidence: state.machine.evidence, received: state.received, settings: settings.version,
        previousAttempts: state.previousAttempts,
        side: state.attempt.side == record.side ? nil : state.attempt.side,
        feedback: reason.map { state.conditions.feedback(on: $0) } ?? [])
    }
    return Progress(step: step(at: now), result: result, judged: judged)
  }

  /// Starts the next attempt if one is left and the failure permits it.
  private func tryAgain(after verdict: Verdict, clock: any ServiceClock) -> Bool {
    let (outcome, reason): (CheckResult.Outcome, String)
    switch verdict {
    case .accepted: return false
    case .refused(let because, _): (outcome, reason) = (.failed, because)
    case .timedOut(let because, _): (outcome, reason) = (.timedOut, because)
    }
    lease.change()
    guard state.tryAgain(after: outcome, because: reason, at: clock.timeOfDay()) else { return false }
    auditImages?.clearReference()
    return true
  }

  /// Completed fraction of all tasks, 0…1, and the current task.
  var completion: (fraction: Float, task: CheckProgress.TaskPosition) {
    let (index, count) = state.machine.position
    let share: Float =
      switch state.machine.state {
      case .tracking, .passed: state.machine.progress
      case .positioning, .depth, .instructing, .failed, .timedOut: 0
      }
    return ((Float(index) + share) / Float(count), CheckProgress.TaskPosition(index: index, count: count))
  }

  private func step(at now: MonotonicInstant) -> CheckStep {
    // The tasks may have passed while the frames were rejected: the verdict takes precedence over the state machine.
    if let result, result.outcome != .passed, state.machine.state.reason == nil {
      return .final(result, side: record.side)
    }
    return CheckStep(
      state: state.machine.state.code, instruction: state.machine.instruction.rawValue, side: state.machine.side,
      progress: state.machine.progress, hints: state.machine.hints, reason: state.machine.state.reason,
      remaining: state.machine.remaining,
      outline: outline, task: record.tasks.flatMap { TaskStep(state.machine, requested: $0.requested) },
      attempt: record.attemptPolicy.limit > 1 || !state.previousAttempts.isEmpty
        ? AttemptProgress(
          number: state.attemptNumber, count: record.attemptPolicy.limit,
          lastReason: state.previousAttempts.last?.reason) : nil)
  }

  private static func outline(of observation: FaceObservation) -> [SIMD2<Float>] {
    guard let points = observation.face?.landmarks.points else { return [] }
    return Landmarks.outlineIndices.map { SIMD2(points[$0].x, points[$0].y) }
  }

  private static func result(
    _ verdict: Verdict, decided: UnixTime, source: CheckResult.Source, basis: VerdictBasis, frames: Int,
    evidence: HeadTurnEvidence?, received: FrameHashChain, settings: String, previousAttempts: [FailedAttempt],
    side: Side?, feedback: [CaptureCondition]
  ) -> CheckResult {
    let paths = (out: evidence?.outboundPath ?? [], back: evidence?.returnPath ?? [])
    func make(_ outcome: CheckResult.Outcome, _ reason: String?, _ findings: [Finding]) -> CheckResult {
      CheckResult(
        outcome: outcome, reason: reason, decided: decided, source: source, basis: basis, frames: frames,
        findings: findings, outboundPath: paths.out, returnPath: paths.back, received: received, settings: settings,
        previousAttempts: previousAttempts,
        side: side, feedback: feedback)
    }
    return switch verdict {
    case .accepted(let capture): make(.passed, nil, capture.findings)
    case .refused(let reason, let findings): make(.failed, reason, findings)
    case .timedOut(let reason, let findings): make(.timedOut, reason, findings)
    }
  }
}

/// An error thrown if a check was decided, by its time limit or an earlier frame, after it was looked up and before it
/// processed the request.
struct AlreadyDecidedError: Error {
  let result: CheckResult
}

extension CheckStep {
  /// Returns the last step of a decided check.
  static func final(_ result: CheckResult, side: Side) -> CheckStep {
    CheckStep(
      state: result.outcome.rawValue, instruction: "done", side: result.side ?? side,
      progress: result.outcome == .passed ? 1 : 0,
      hints: [], reason: result.reason, remaining: .zero, outline: [])
  }
}
