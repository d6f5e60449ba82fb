public import MienLiveSessions
internal import MienPlatform
internal import MienSecurity
internal import MienAvatars
internal import MienExpressions
public import MienCore

/// Performances: begun in the store, so that any server that receives the first frame can continue them, and saved
/// several times a second, so that another server can continue them after a crash.
extension MessageService: LiveSessionHost {
  /// Saves the states of all performances that have changed since the last time. Call it every
  /// ``LeaseTiming/interval``.
  public func saveSnapshots() async throws { try await saveChangedSessions() }

  /// Saves the changed states a last time and releases the performances, so that other servers can acquire them at
  /// once.
  public func release() async throws {
    try await saveSnapshots()
    try await store.letPerformancesGo()
  }

  func begin(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, of caller: String?
  ) async throws -> Begun {
    guard let id = CheckID(RandomTokens.make(prefix: settings.realm.performancePrefix, count: 22, using: &randomness))
    else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let now = clock.timeOfDay()
    let firstFrame = now.adding(settings.firstFrame)
    try admission.admit(id, for: purpose, of: caller, until: firstFrame)
    let secret = RandomTokens.make(prefix: "", count: 43, using: &randomness)
    let expires = now.adding(settings.lifetime)
    let state = ActivePerformanceState(
      purpose, length: length, needsFrames: needsFrames, needsPassive: needsPassive, caller: caller, expires: expires)
    let sealed = PerformanceStateCipher(keyring, secret: secret, of: id).close(
      state.bytes(at: clock.now()), using: &randomness)
    do {
      try await store.begin(
        PerformanceSnapshot(id: id, epoch: 1, revision: 0, isClosed: false, expires: firstFrame, state: sealed), at: now
      )
    } catch {
      admission.leave(id)
      throw error
    }
    let token = tokens.make(for: id, secret: secret, created: now, expires: expires)
    return Begun(id: id, token: token, expires: expires, steps: length)
  }

  static var noPerformance: ServiceError {
    ServiceError(
      .notFound,
      "There is no such performance: it ended, it was not started in time, or its server failed at the moment when "
        + "it decided.")
  }

  /// An error for a performance that another server holds.
  static var elsewhere: ServiceError {
    ServiceError(
      .frameInFlight,
      "Another server has this performance, or had it until a moment ago. Send the next frame: it is accepted as soon as "
        + "only one server processes the performance.")
  }

  /// Returns the secret in a performance's token. This needs no lookup, so that the body of a request with a wrong
  /// token is never read.
  ///
  /// - Throws: ``ServiceError`` with `unauthorized`.
  @discardableResult
  public nonisolated func expectToken(_ token: String?, of id: CheckID) throws -> String {
    guard let token else {
      throw ServiceError(.unauthorized, "This needs the performance's token: send it as \"Authorization: Bearer …\".")
    }
    guard let secret = tokens.secret(of: token, for: id) else {
      throw ServiceError(.unauthorized, "The token does not belong to this performance.")
    }
    return secret
  }

  /// Throws if the performance has the maximum number of frames in progress. Called before the request's body is read.
  public func expectRoom(_ id: CheckID, numbered: Bool) async throws {
    try await live[id]?.expectRoom(numbered: numbered)
  }

  /// Number of frames of the performance that its client may have in progress.
  public func frameWindow(of id: CheckID) async -> Int {
    await live[id]?.frameWindow ?? FrameSequence.maximumWindow
  }

  /// Returns a performance, which this server holds from now on unless it is closed.
  func performance(_ id: CheckID, token: String?) async throws -> ActivePerformance {
    let secret = try expectToken(token, of: id)
    let digest = SecretDigest(of: secret)
    if let performance = live[id], performance.token == digest {
      try expectTime(performance.expires)
      if try await isStillHeld(performance) { return performance }
    }
    let (began, time) = (clock.now(), clock.timeOfDay())
    guard let taken = try await store.takePerformance(id, at: time) else { throw Self.noPerformance }
    guard case .held(let hold) = taken else { throw Self.elsewhere }
    let keyring = PerformanceStateCipher(keyring, secret: secret, of: id)
    guard let bytes = keyring.open(hold.state),
      let state = ActivePerformanceState(bytes, at: began + Interval(nanoseconds: -hold.age.nanoseconds))
    else { throw Self.noPerformance }
    try expectTime(state.expires)
    if case .deciding = state.phase {
      // The deciding server may be about to report the result. If it crashed, it may have counted the attempt: the
      // sequence is not tried again, which might count twice.
      throw hold.age < LeaseTiming.timeout ? Self.elsewhere : Self.noPerformance
    }
    await replayGuard.adopt(state.input.digests, by: id)
    // Another request may have acquired it while the store was queried.
    if let performance = live[id], performance.token == digest { return performance }
    let left = state.expires.milliseconds - time.milliseconds
    let performance = ActivePerformance(
      state, of: id, token: digest, keyring: keyring, hold: hold, heldSince: began,
      deadline: began + .milliseconds(Double(left)), tolerance: settings.clockTolerance, track: observer.newTrack())
    guard !state.isClosed else { return performance }
    try admission.admit(id, for: state.purpose, of: state.caller, until: state.expires)
    live[id] = performance
    return performance
  }

  private func expectTime(_ expires: UnixTime) throws {
    guard clock.timeOfDay() < expires else {
      throw ServiceError(
        .tokenExpired, "This performance has expired; nothing was counted. Start another one.")
    }
  }

  /// Saves a closed performance before its result is returned. Throws if another server holds it.
  func settle(_ performance: ActivePerformance) async throws {
    guard let draft = await performance.closingDraft(at: clock.now()) else { return }
    guard try await save([draft]).contains(performance.id) else { throw Self.elsewhere }
  }

  package nonisolated var sharesSessions: Bool { store.isShared }

  package func write(_ drafts: [SessionDraft<ActivePerformance>]) async throws -> Set<CheckID> {
    let states = drafts.map { draft in
      PerformanceSnapshot(
        id: draft.session.id, epoch: draft.session.epoch, revision: draft.revision, isClosed: draft.isClosed,
        expires: draft.session.expires, state: draft.session.keyring.close(draft.state, using: &randomness))
    }
    return try await store.save(states, at: clock.timeOfDay())
  }

  package func lost(_ id: CheckID) { admission.leave(id) }

  /// Returns the response for a request's progress. A performance that has ended is saved and released first.
  func answer(_ progress: ActivePerformance.Progress, of performance: ActivePerformance)
    async throws
    -> PerformanceStep
  {
    let step: PerformanceStep
    switch progress {
    case .step(let told):
      // Already over: a client requests a response again that was lost or could not be saved.
      guard told.state.isFinal else { return told }
      try await settle(performance)
      step = told
    case .complete(let sequence):
      step = try await decide(sequence, performance)
      meter.performed(step.state.code)
    }
    if live[performance.id] === performance {
      live[performance.id] = nil
      if case .recorded = step.state { admission.waits(performance.id) } else { admission.leave(performance.id) }
    }
    return step
  }

  private func decide(_ sequence: ExpressionSequence, _ performance: ActivePerformance) async throws
    -> PerformanceStep
  {
    guard case .open(let message, let link) = performance.purpose else {
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
      // Reserved before anything is stored or counted, so that nothing has to be undone if the queue is full.
      let place = try decryptionQueue.reserve()
      // Saved as being decided before an attempt is counted, so that no other server counts it as well.
      try await settle(performance)
      step = await performance.end(
        try await attempt(sequence, on: message, link: link, of: performance.caller, in: place), at: clock.now())
    } catch {
      // It is unknown whether the attempt was counted. It is not repeated automatically, which might count it twice.
      live[performance.id] = nil
      admission.leave(performance.id)
      throw error
    }
    // The decision is final, whether or not another server can report it, too.
    try? await settle(performance)
    return step
  }
}
