internal import MienChallenges
internal import MienModel

/// One check under way: its machine, its track and who drives it. One actor per session.
actor LiveCheck<Observer: FaceObserver> {
  /// What a request did to the check.
  struct Progress: Sendable {
    var step: CheckStep
    /// Set from the moment the check is decided; the service keeps it before anybody hears of it.
    var result: CheckResult?
    /// False when the frame was the one before again and nothing was judged.
    var judged: Bool
  }

  /// The state of a check at one moment, to be kept.
  struct Draft: Sendable {
    let check: LiveCheck<Observer>
    let state: [UInt8]
    /// How many changes are in it.
    let changes: Int
  }

  nonisolated let record: CheckRecord
  /// Under which this server holds the check.
  nonisolated let epoch: Int
  private let settings: ServiceSettings
  /// What the depth of this check is judged by; nil without an enrolment.
  nonisolated let thresholds: DepthThresholds?
  private var state: LiveCheckState
  private var track: Observer.Track
  private var isLooking = false
  /// Of this server alone: another one that goes on with the check has models of its own.
  private var budget = ProcessingBudget()
  private var outline: [SIMD2<Float>] = []
  private var result: CheckResult?
  /// The pictures to keep; nil when nobody asked for any.
  private var shelf: PictureShelf?
  /// What other checks of this server showed.
  private let earlierChecks: EarlierChecks
  /// What this one shows while one person does its tasks. Of this server alone, like the track.
  private var frames = DistinctFrames()
  /// Whether an earlier check showed the same; nil until the tasks are passed.
  private var replay: Finding?
  nonisolated let keepsPictures: Bool
  /// How often something came, and how much of it is in what was kept.
  private var changes = 0
  private var keptChanges = 0
  /// From when on the check is this server's for a while.
  private var heldSince: Instant

  /// - Parameters:
  ///   - state: what the check begins or goes on with.
  ///   - heldSince: when this server began to take it.
  init(
    _ state: LiveCheckState, epoch: Int, heldSince: Instant, thresholds: DepthThresholds?, track: Observer.Track,
    earlierChecks: EarlierChecks, shelf: PictureShelf? = nil
  ) {
    self.earlierChecks = earlierChecks
    record = state.record
    settings = state.settings
    self.state = state
    self.epoch = epoch
    self.heldSince = heldSince
    self.shelf = shelf
    keepsPictures = shelf != nil
    self.thresholds = thresholds
    self.track = track
  }

  // MARK: - Being kept

  /// The state, when something came since it was kept, or `always`; nil once the check is decided.
  func draft(at now: Instant, always: Bool = false) -> Draft? {
    guard result == nil, always || changes > keptChanges else { return nil }
    return Draft(check: self, state: state.bytes(at: now), changes: changes)
  }

  /// The state was kept, by what began at this instant.
  func wasKept(_ draft: Draft, since began: Instant) {
    keptChanges = max(keptChanges, draft.changes)
    heldSince = max(heldSince, began)
  }

  /// True when another server may soon take the check for abandoned.
  func mustBeKept(at now: Instant) -> Bool { now.since(heldSince) > LiveHold.lease }

  // MARK: - What it is told

  /// Looks at one frame and judges it.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of the frame's bytes.
  ///   - content: SHA-256 of the bytes that decide its pixels.
  ///   - entry: what the ledger knows of the content.
  func look(
    at frame: EncodedFrame, digest: [UInt8], content: [UInt8], entry: FrameLedger.Entry, client: String?,
    capturedAt: Interval?,
    with observer: Observer,
    clock: any ServiceClock
  ) async throws -> Progress {
    try admit(client: client, as: .observed)
    changes += 1
    guard entry != .sameSession else {
      state.receive(digest, content: content)
      // Nothing new was seen, but time has passed.
      state.machine.tick(at: frame.at)
      return progress(at: frame.at, judged: false, clock: clock)
    }
    isLooking = true
    defer { isLooking = false }
    if entry == .new { state.receive(digest, content: content) }
    try admit(capturedAt: capturedAt, at: frame.at)
    try budget.admit()
    let seen = try await observer.observe(frame, after: track, in: .live(record.id))
    if entry == .otherSession {
      // An image without a face is no evidence, and a covered camera sends the same one in everybody's check.
      guard seen.observation.face == nil, seen.observation.faceCount == 0 else {
        budget.use(seen.took)
        throw ServiceError(.frameReplayed, "This very frame was sent to another check before. Send live frames only.")
      }
      state.receive(digest, content: content)
    }
    track = seen.track
    budget.use(seen.took)
    changes += 1
    state.frames += 1
    // The server's clock counts, and it counts from when the frame was here, not from when a model was free.
    let observation = seen.observation
    outline = Self.outline(of: observation)
    if settings.passive != .off {
      if state.passive == nil { state.passive = PassiveWatch(settings: settings.passiveSettings) }
      state.passive?.saw(observation)
    }
    if settings.replays != .off, isOnePerson { frames.saw(observation) }
    // Nobody hears of a verdict before earlier checks are compared.
    var machine = state.machine
    machine.saw(TaskSample(observation), hints: settings.framing.hints(for: observation))
    if case .passed = machine.state, settings.replays != .off {
      replay = await earlierChecks.compare(frames, of: record.id, person: record.person, at: clock.timeOfDay())
    }
    state.machine = machine
    // Before the first task people may come and go: a face that was shown then is not the one that did what was asked.
    if !isOnePerson { shelf?.forgetReference() }
    shelf?.offer(frame.bytes, observation, mayBeReference: isOnePerson)
    return progress(at: frame.at, judged: true, clock: clock)
  }

  /// True while the check holds the face to be one and the same, from the first task's beginning on or while depth is
  /// watched.
  private var isOnePerson: Bool {
    switch state.machine.state {
    case .tracking, .passed, .depth: true
    case .instructing: state.machine.position.index > 0
    case .positioning, .failed, .timedOut: false
    }
  }

  /// Judges what a device says it saw.
  ///
  /// Nothing is judged when one of the claims is refused.
  func claim(_ claims: [ClaimedObservation], client: String?, at now: Instant, clock: any ServiceClock) throws
    -> Progress
  {
    try admit(client: client, as: .claimed)
    var clocks = state.clocks
    for claim in claims {
      clocks = try Self.checked(
        clocks, client: claim.at.since(.zero), now: now, tolerance: settings.clockTolerance, several: claims.count > 1)
    }
    for claim in claims {
      guard let base = clocks else { break }
      let offset = claim.at.since(.zero).nanoseconds &- base.client.nanoseconds
      var sample = claim
      sample.at = base.server + Interval(nanoseconds: offset)
      state.machine.saw(TaskSample(sample), hints: settings.framing.hints(for: sample))
    }
    state.clocks = clocks
    changes += 1
    state.frames += claims.count
    // A device may lag by the tolerance and no more: the time limit goes on without it.
    state.machine.tick(at: now + Interval(nanoseconds: -settings.clockTolerance.nanoseconds))
    return progress(at: now, judged: true, clock: clock)
  }

  /// Judges one depth capture.
  func depth(_ frame: DepthFrame, client: String?, at now: Instant, clock: any ServiceClock) throws -> Progress {
    guard record.expectsDepth else {
      throw ServiceError(.badValue, "This check was created without depth. Create it with \"depth\": true.")
    }
    try admit(client: client, as: nil)
    changes += 1
    state.machine.saw(depth: DepthAssessment(frame), at: now)
    return progress(at: now, judged: true, clock: clock)
  }

  /// Lets time pass without a frame.
  func tick(at now: Instant, clock: any ServiceClock) -> Progress {
    if !isLooking { state.machine.tick(at: now) }
    return progress(at: now, judged: false, clock: clock)
  }

  /// Ends a check whose time is over, with all that it has come to: who lets it run out has tried it.
  ///
  /// - Returns: nil while a frame is looked at, whose verdict comes first. The result is nil when nobody began.
  func expire(at now: Instant, clock: any ServiceClock) -> Progress? {
    guard !isLooking else { return nil }
    state.machine.tick(at: now)
    let usual = progress(at: now, judged: false, clock: clock)
    guard result == nil, toldSource != .none else { return usual }
    result = Self.result(
      .timedOut(because: "expired", state.machine.findings), decided: clock.timeOfDay(), source: toldSource,
      assurance: assurance, frames: state.frames, evidence: state.machine.evidence, received: state.received,
      settings: settings.version,
      earlier: state.earlier, side: state.attempt.side == record.side ? nil : state.attempt.side)
    return progress(at: now, judged: false, clock: clock)
  }

  /// Where what was judged came from. A depth map is what a device says: a check that it alone passed, or in which nothing
  /// else was judged, rests on a claim, whatever pixels came with it.
  private var toldSource: CheckResult.Source { restsOnDepth ? .claimed : state.source }

  private var assurance: Assurance { restsOnDepth ? .depth : state.source.assurance }

  private var restsOnDepth: Bool {
    if state.machine.isPassedByDepth { return true }
    guard state.source == .none else { return false }
    switch state.machine.gate.finding?.result {
    case .genuine, .suspect: return true
    case .notAssessed, nil: return false
    }
  }

  /// True when images were asked for and there is none of the face: such a check cannot pass.
  private var lacksImage: Bool {
    if let shelf { return !shelf.hasReference }
    return record.auditPictures != nil
  }

  /// The result that is decided; the service keeps it and lets go of this actor.
  func resultToKeep() -> CheckResult? { isLooking ? nil : result }

  /// The pictures to keep with a result, empty unless somebody asked for some.
  func pictures(for result: CheckResult) -> [KeptPicture] {
    guard let shelf else { return [] }
    return shelf.pictures(passed: result.outcome == .passed)
  }

  /// What an undecided or failed check showed, to be remembered with it; nil when it was compared and thereby remembered.
  func framesToRemember() -> DistinctFrames? { replay == nil ? frames : nil }

  /// The person's thresholds moved a little towards this check, when it was accepted by depth.
  func learnedThresholds() -> DepthThresholds? {
    guard result?.outcome == .passed, let thresholds, let accepted = state.machine.gate.accepted
    else { return nil }
    return thresholds.updated(with: accepted, settings.enrolment)
  }

  /// Refuses another frame while one is looked at; asked before the other one's body is read.
  func expectIdle() throws {
    guard !isLooking else {
      throw ServiceError(
        .frameInFlight, "A frame of this check is still being looked at. Send the next one when the reply is in.")
    }
  }

  private func admit(client: String?, as source: CheckResult.Source?) throws {
    if let result { throw DecidedMeanwhile(result: result) }
    try expectIdle()
    // One that gives no name is a client as well.
    let client = client ?? ""
    if let first = state.client, first != client {
      throw ServiceError(.secondClient, "Another page or app is doing this check already. Create a check for each.")
    }
    if let source {
      try allow(source)
      guard state.source == .none || state.source == source else {
        throw ServiceError(
          .mixedSources, "This check is judged on \(state.source.rawValue) observations; the two kinds do not mix.")
      }
      state.source = source
    }
    if state.client == nil { state.client = client }
  }

  /// Rejects observations that the check was not created for, or that this server does not allow any more.
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

  private func admit(capturedAt: Interval?, at now: Instant) throws {
    guard let capturedAt else { return }
    state.clocks = try Self.checked(
      state.clocks, frameAt: capturedAt, now: now, tolerance: settings.clockTolerance)
  }

  /// Holds the time of a frame against the server's clock, by which alone frames are judged.
  ///
  /// A frame cannot come before it was captured. One that seems to says that the frame on which the clocks were tied was longer
  /// on its way: from then on they are tied on this one, and one that is late now is late against it.
  static func checked(
    _ clocks: (client: Interval, server: Instant, last: Interval)?, frameAt client: Interval, now: Instant,
    tolerance: Interval
  ) throws -> (client: Interval, server: Instant, last: Interval) {
    if let known = clocks, client >= known.last {
      let onClient = client.nanoseconds.subtractingReportingOverflow(known.client.nanoseconds)
      let lead = onClient.partialValue.subtractingReportingOverflow(now.since(known.server).nanoseconds)
      if !onClient.overflow, !lead.overflow, lead.partialValue > tolerance.nanoseconds {
        return (client, now, client)
      }
    }
    return try checked(clocks, client: client, now: now, tolerance: tolerance, several: false)
  }

  /// Holds the client's time against the server's.
  static func checked(
    _ clocks: (client: Interval, server: Instant, last: Interval)?, client: Interval, now: Instant,
    tolerance: Interval, several: Bool
  ) throws -> (client: Interval, server: Instant, last: Interval) {
    guard let known = clocks else {
      return (client, now, client)
    }
    guard client >= known.last else {
      throw ServiceError(
        .outOfOrder, "A timestamp lies before the one sent earlier. Send frames in the order they were seen.")
    }
    let onClient = client.nanoseconds.subtractingReportingOverflow(known.client.nanoseconds)
    let onServer = now.since(known.server).nanoseconds
    guard !onClient.overflow, onClient.partialValue - onServer <= tolerance.nanoseconds,
      onServer - onClient.partialValue <= tolerance.nanoseconds * (several ? 2 : 1)
    else {
      throw ServiceError(
        .timestampOutOfRange,
        "A timestamp differs from the server's clock by more than \(tolerance.inSeconds) s since the check began. "
          + "Use the device's monotonic clock and send frames as they are seen.")
    }
    return (known.client, known.server, client)
  }

  private func progress(at now: Instant, judged: Bool, clock: (any ServiceClock)? = nil) -> Progress {
    let verdict = Judge.verdict(
      on: state.machine, of: record.id, passive: { state.passive?.assessment }, earlier: replay,
      lacksImage: lacksImage, refuses: settings.passive == .refuse, refusesReplays: settings.replays == .refuse)
    if result == nil, let clock, let verdict, !tryAgain(after: verdict, clock: clock) {
      result = Self.result(
        verdict, decided: clock.timeOfDay(), source: toldSource, assurance: assurance, frames: state.frames,
        evidence: state.machine.evidence, received: state.received, settings: settings.version, earlier: state.earlier,
        side: state.attempt.side == record.side ? nil : state.attempt.side)
    }
    return Progress(step: step(at: now), result: result, judged: judged)
  }

  /// Begins the next attempt, when there is one and it makes sense.
  private func tryAgain(after verdict: Verdict, clock: any ServiceClock) -> Bool {
    let failed: FailedAttempt
    switch verdict {
    case .accepted: return false
    // Frames that are no camera's are no attempt of a person.
    case .refused(Judge.suspectFrames, _): return false
    case .refused(let reason, _): failed = FailedAttempt(outcome: .failed, reason: reason, ended: clock.timeOfDay())
    case .timedOut(let reason, _): failed = FailedAttempt(outcome: .timedOut, reason: reason, ended: clock.timeOfDay())
    }
    changes += 1
    guard state.tryAgain(after: failed) else { return false }
    shelf?.forgetReference()
    return true
  }

  private func step(at now: Instant) -> CheckStep {
    // The tasks may be passed and the frames refused: the verdict counts, not the machine.
    if let result, result.outcome != .passed, state.machine.state.reason == nil {
      return .final(result, side: record.side)
    }
    return CheckStep(
      state: state.machine.state.code, instruction: state.machine.instruction.rawValue, side: state.machine.side,
      progress: state.machine.progress, hints: state.machine.hints, reason: state.machine.state.reason,
      remaining: state.machine.remaining,
      outline: outline, task: record.tasks.flatMap { TaskStep(state.machine, wishes: $0.wishes) },
      attempt: state.attempts.count > 1
        ? AttemptStep(
          number: state.earlier.count + 1, count: state.attempts.count, lastReason: state.earlier.last?.reason) : nil)
  }

  private static func outline(of observation: FaceObservation) -> [SIMD2<Float>] {
    guard let points = observation.face?.landmarks.points else { return [] }
    return Landmarks.outlineIndices.map { SIMD2(points[$0].x, points[$0].y) }
  }

  private static func result(
    _ verdict: Verdict, decided: UnixTime, source: CheckResult.Source, assurance: Assurance, frames: Int,
    evidence: HeadTurnEvidence?, received: FrameChain, settings: String, earlier: [FailedAttempt], side: Side?
  ) -> CheckResult {
    let ways = (out: evidence?.wayOut ?? [], back: evidence?.wayBack ?? [])
    func make(_ outcome: CheckResult.Outcome, _ reason: String?, _ findings: [Finding]) -> CheckResult {
      CheckResult(
        outcome: outcome, reason: reason, decided: decided, source: source, assurance: assurance, frames: frames,
        findings: findings, wayOut: ways.out, wayBack: ways.back, received: received, settings: settings,
        earlier: earlier,
        side: side)
    }
    return switch verdict {
    case .accepted(let capture): make(.passed, nil, capture.findings)
    case .refused(let reason, let findings): make(.failed, reason, findings)
    case .timedOut(let reason, let findings): make(.timedOut, reason, findings)
    }
  }
}

/// A check was decided, by its time limit or by a frame before, after it was looked up and before it was told something.
struct DecidedMeanwhile: Error {
  let result: CheckResult
}

extension CheckStep {
  /// The last step of a decided check.
  static func final(_ result: CheckResult, side: Side) -> CheckStep {
    CheckStep(
      state: result.outcome.rawValue, instruction: "done", side: result.side ?? side,
      progress: result.outcome == .passed ? 1 : 0,
      hints: [], reason: result.reason, remaining: .zero, outline: [])
  }
}
