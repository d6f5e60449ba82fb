internal import MienAvatars
internal import MienExpressions
public import MienModel

/// Performances: begun in the store, so that whichever server the first frame comes to goes on with them, and kept several
/// times a second, so that another does when it dies.
extension MessageService {
  /// Keeps the states of all performances that have changed since the last time. Call it every ``LiveHold/interval``.
  public func keepSnapshots() async throws {
    var drafts: [LivePerformance<Observer>.Draft] = []
    for performance in live.values {
      if let draft = await performance.draft(at: clock.now()) { drafts.append(draft) }
    }
    // A statement of any length would be in the way of others.
    while !drafts.isEmpty {
      try await keep(Array(drafts.prefix(256)))
      drafts.removeFirst(min(256, drafts.count))
    }
  }

  /// Keeps what has changed a last time, and lets other servers take the performances at once.
  public func letGo() async throws {
    try await keepSnapshots()
    try await store.letPerformancesGo()
  }

  func begin(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, calibrates: Bool,
    of caller: String?
  ) async throws -> Begun {
    guard let id = SessionID(Secrets.make(prefix: settings.space.performancePrefix, count: 22, using: &dice)) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let now = clock.timeOfDay()
    let firstFrame = now.adding(settings.firstFrame)
    try room.admit(id, for: purpose, of: caller, until: firstFrame)
    let secret = Secrets.make(prefix: "", count: 43, using: &dice)
    let expires = now.adding(settings.lifetime)
    let state = LivePerformanceState(
      purpose, length: length, needsFrames: needsFrames, needsPassive: needsPassive, calibrates: calibrates,
      caller: caller, expires: expires)
    let sealed = PerformanceSeal(seal, secret: secret, of: id).close(state.bytes(at: clock.now()), using: &dice)
    do {
      try await store.begin(
        KeptPerformance(id: id, epoch: 1, revision: 0, isClosed: false, expires: firstFrame, state: sealed), at: now)
    } catch {
      room.leave(id)
      throw error
    }
    let token = tokens.make(for: id, secret: secret, created: now, expires: expires)
    return Begun(id: id, token: token, expires: expires, steps: length)
  }

  static var noPerformance: ServiceError {
    ServiceError(
      .notFound,
      "There is no such performance; it is over, nobody came to it in time, or its server died in the very moment in which "
        + "it decided.")
  }

  /// Another server has the performance.
  static var elsewhere: ServiceError {
    ServiceError(
      .frameInFlight,
      "Another server has this performance, or had it until a moment ago. Send the next frame: it is taken as soon as it "
        + "is sure that only one looks at it.")
  }

  /// The secret in a performance's token. Nothing is looked up for it: whoever shows another one has nothing read that they send.
  ///
  /// - Throws: ``ServiceError`` with `unauthorised`.
  @discardableResult
  public nonisolated func expectToken(_ token: String?, of id: SessionID) throws -> String {
    guard let token else {
      throw ServiceError(.unauthorised, "This needs the performance's token: send it as \"Authorization: Bearer …\".")
    }
    guard let secret = tokens.secret(of: token, for: id) else {
      throw ServiceError(.unauthorised, "The token does not belong to this performance.")
    }
    return secret
  }

  /// Refuses a request for a performance of which a frame is looked at, before the request's body is read.
  public func expectIdle(_ id: SessionID) async throws { try await live[id]?.expectIdle() }

  /// A performance, which is this server's from now on unless it is closed.
  func performance(_ id: SessionID, token: String?) async throws -> LivePerformance<Observer> {
    let secret = try expectToken(token, of: id)
    let digest = SecretDigest(of: secret)
    if let performance = live[id], performance.token == digest {
      try expectTime(performance.expires)
      if try await isStillOurs(performance) { return performance }
    }
    let (began, time) = (clock.now(), clock.timeOfDay())
    guard let taken = try await store.takePerformance(id, at: time) else { throw Self.noPerformance }
    guard case .held(let hold) = taken else { throw Self.elsewhere }
    let seal = PerformanceSeal(seal, secret: secret, of: id)
    guard let bytes = seal.open(hold.state),
      let state = LivePerformanceState(bytes, at: began + Interval(nanoseconds: -hold.age.nanoseconds))
    else { throw Self.noPerformance }
    try expectTime(state.expires)
    if case .deciding = state.phase {
      // Whoever decides may be about to say what came out. Whoever died over it may have counted the attempt: it is not tried
      // again, which might count twice.
      throw hold.age < LiveHold.patience ? Self.elsewhere : Self.noPerformance
    }
    await ledger.adopt(state.digests, by: id)
    // Another request may have taken it while the store was asked.
    if let performance = live[id], performance.token == digest { return performance }
    let left = state.expires.milliseconds - time.milliseconds
    let performance = LivePerformance<Observer>(
      state, of: id, token: digest, seal: seal, hold: hold, heldSince: began,
      deadline: began + .milliseconds(Double(left)), tolerance: settings.clockTolerance, track: observer.newTrack())
    guard !state.isClosed else { return performance }
    try room.admit(id, for: state.purpose, of: state.caller, until: state.expires)
    live[id] = performance
    return performance
  }

  private func expectTime(_ expires: UnixTime) throws {
    guard clock.timeOfDay() < expires else {
      throw ServiceError(
        .tokenExpired, "The time for this performance is over; nothing was counted. Begin another one.")
    }
  }

  /// Sees that a performance is this server's still, by keeping it once more where that was too long ago; forgets it otherwise.
  private func isStillOurs(_ performance: LivePerformance<Observer>) async throws -> Bool {
    guard store.isShared, await performance.mustBeKept(at: clock.now()) else { return true }
    guard let draft = await performance.draft(at: clock.now(), always: true) else { return true }
    return try await keep([draft]).contains(performance.id)
  }

  /// Keeps a performance that is closed, and was this server's or closed before, ahead of anybody's hearing of it.
  func settle(_ performance: LivePerformance<Observer>) async throws {
    guard let draft = await performance.closingDraft(at: clock.now()) else { return }
    guard try await keep([draft]).contains(performance.id) else { throw Self.elsewhere }
  }

  @discardableResult
  func keep(_ drafts: [LivePerformance<Observer>.Draft]) async throws -> Set<SessionID> {
    let began = clock.now()
    let states = drafts.map { draft in
      KeptPerformance(
        id: draft.performance.id, epoch: draft.performance.epoch, revision: draft.revision, isClosed: draft.isClosed,
        expires: draft.performance.expires, state: draft.performance.seal.close(draft.state, using: &dice))
    }
    let kept = try await store.keep(states, at: clock.timeOfDay())
    for draft in drafts {
      let performance = draft.performance
      if kept.contains(performance.id) {
        await performance.wasKept(draft, since: began)
      } else if await !performance.isNewer(than: draft), live[performance.id] === performance {
        // Another server has it now.
        live[performance.id] = nil
        room.leave(performance.id)
      }
    }
    return kept
  }

  /// What is told of a request's progress. A performance that came to its end is kept so, and then nobody's.
  func answer(_ progress: LivePerformance<Observer>.Progress, of performance: LivePerformance<Observer>) async throws
    -> PerformanceStep
  {
    let step: PerformanceStep
    switch progress {
    case .step(let told):
      // It is over where somebody asks for a reply again that was lost on the way, or could not be kept.
      guard told.state.isFinal else { return told }
      try await settle(performance)
      step = told
    case .complete(let sequence):
      step = try await decide(sequence, performance)
      meter.performed(step.state)
    }
    if live[performance.id] === performance {
      live[performance.id] = nil
      if case .recorded = step.state { room.waits(performance.id) } else { room.leave(performance.id) }
    }
    return step
  }

  private func decide(_ sequence: ExpressionSequence, _ performance: LivePerformance<Observer>) async throws
    -> PerformanceStep
  {
    guard case .open(let message) = performance.purpose else {
      let step = await performance.end(.recorded, at: clock.now())
      try await settle(performance)
      return step
    }
    guard await performance.isTrusted else {
      let step = await performance.end(.suspect, at: clock.now())
      try await settle(performance)
      return step
    }
    let step: PerformanceStep
    do {
      // Before anything is kept or counted: where there is no place, the performance goes on a moment later.
      let place = try openings.reserve()
      // That somebody decides is kept before anything is counted: no other server counts it, too.
      try await settle(performance)
      step = await performance.end(
        try await attempt(sequence, on: message, of: performance.caller, in: place), at: clock.now())
    } catch {
      // Whether it was counted is not known. It is not tried again by itself, which might count twice.
      live[performance.id] = nil
      room.leave(performance.id)
      throw error
    }
    // It is decided, whether or not another server can say so, too.
    try? await settle(performance)
    return step
  }
}
