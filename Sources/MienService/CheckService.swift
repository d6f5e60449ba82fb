internal import MienChallenges
public import MienModel

/// The use cases of liveness checks: create, look at frames, judge, keep, read.
public actor CheckService<Observer: FaceObserver> {
  /// What an enrolment came to.
  public struct Enrolled: Sendable {
    /// Which version of the person's thresholds now holds.
    public let version: Int
    /// How many captures could be measured.
    public let captures: Int
  }

  /// What a service keeps things in.
  public typealias Store = CheckStore & KeyStore & EnrolmentStore & SealedSecretStore & DialectSessionStore
    & PictureStore & SubjectStore & ClipStore & WebhookStore & SnapshotStore

  public nonisolated let settings: ServiceSettings
  public nonisolated let meter: Meter
  nonisolated let store: any Store
  nonisolated let observer: Observer
  nonisolated let clock: any ServiceClock
  /// Opens what the store keeps sealed; nil where nobody gave one, and then there are no access keys and no signatures.
  nonisolated let seal: Seal?
  nonisolated let tokens: SessionTokens
  /// Knows what API keys may do; nil where every key that is kept may do everything.
  public nonisolated let desk: KeyDesk?
  /// Remembers who saw or erased what; nil where nobody does.
  public nonisolated let audit: AuditLog?
  /// Knows who is signed in; nil where nobody can be.
  public nonisolated let accounts: AccountDesk?
  /// Counts what is erased because its time is over.
  public nonisolated let retention: RetentionBook
  /// Makes films; nil where there is nothing to make them with.
  nonisolated let recorder: (any FrameRecorder)?
  let ledger = FrameLedger()
  let earlierChecks = EarlierChecks()
  var dice: any RandomNumberGenerator & Sendable
  var live: [SessionID: LiveCheck<Observer>] = [:]
  /// Checks whose reel lacks a frame: half a film would be taken for the whole.
  var brokenReels: Set<SessionID> = []
  /// Checks whose time is over and that could not be read, and since when.
  var unreadable: [SessionID: UnixTime] = [:]

  /// - Parameters:
  ///   - tokens: makes the checks' tokens; nil makes tokens that end with this service.
  ///   - meter: counts; services of one process share one.
  ///   - recorder: makes films of checks; nil makes none.
  ///   - desk: knows what API keys may do; nil lets every key that is kept do everything.
  ///   - audit: remembers who saw or erased what.
  ///   - accounts: knows who is signed in.
  ///   - retention: counts what is erased because its time is over; the services of one space share one.
  public init(
    store: any Store, observer: Observer, clock: any ServiceClock, settings: ServiceSettings,
    dice: any RandomNumberGenerator & Sendable, seal: Seal? = nil, tokens: SessionTokens? = nil, meter: Meter = Meter(),
    recorder: (any FrameRecorder)? = nil, desk: KeyDesk? = nil, audit: AuditLog? = nil,
    accounts: AccountDesk? = nil, retention: RetentionBook = RetentionBook()
  ) {
    var dice = dice
    self.store = store
    self.seal = seal
    self.tokens = tokens ?? SessionTokens(using: &dice)
    self.meter = meter
    self.recorder = recorder
    self.desk = desk
    self.audit = audit
    self.accounts = accounts
    self.retention = retention
    self.observer = observer
    self.clock = clock
    self.settings = settings
    self.dice = dice
  }

  // MARK: - API keys

  /// Makes the first API key, or returns nil when there is one already. The key is not kept, only its digest.
  public func makeFirstKey() async throws -> String? {
    guard try await store.hasNoKeys() else { return nil }
    return try await APIKeys(store: store, space: settings.space).make(at: clock.timeOfDay(), using: &dice)
  }

  /// Refuses who neither holds an API key nor is signed in.
  public nonisolated func authorise(key: String?) async throws {
    if let key, AccountDesk.isSession(key) {
      guard try await accounts?.signedIn(key) != nil else { throw KeyDesk.noKey }
    } else if let desk {
      try await desk.authorise(key)
    } else {
      guard let key, try await store.hasKey(SecretDigest(of: key)) else { throw KeyDesk.noKey }
    }
  }

  // MARK: - Checks

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - side: the side to turn to; nil lets the server's random source choose.
  ///   - reference: the integrator's own note; at most 128 characters are kept, longer ones are refused.
  ///   - tasks: what to ask, in this order; empty: two tasks of chance. Left out, they are two tasks of chance, or the head turn to
  ///     `side` where that is given.
  ///   - abilities: what the person can do; nil: everything. Of whoever cannot do all, tasks are asked: a head turn's twin
  ///     is no head turn.
  ///   - attempts: how often the person may try, 1…5. Each further one asks anew and gives an attacker another chance too.
  ///   - auditPictures: how many pictures to keep besides the face image, 0…4; nil keeps none at all.
  ///   - keepsClip: true to keep a film of the frames.
  ///   - sources: what the check may be judged on; anything but frames is refused unless the operator allows it.
  ///   - takesScan: true to let the check's token send one depth scan.
  /// - Returns: the check and its token, which is not kept and cannot be asked for again.
  public func create(
    side: Side?, person: PersonID?, device: DeviceID? = nil, expectsDepth: Bool, reference: String?,
    tasks: [TaskWish]? = nil, abilities: PersonAbilities? = nil, attempts: Int = 1, auditPictures: Int? = nil,
    keepsClip: Bool = false, sources: CheckSources = .observed, takesScan: Bool = false
  ) async throws -> (check: CheckRecord, token: String) {
    guard (reference?.unicodeScalars.count).map({ $0 <= 128 }) != false else {
      throw ServiceError(.badValue, "\"reference\" is longer than 128 characters.")
    }
    guard Self.attemptRange.contains(attempts) else {
      throw ServiceError(.badValue, "\"attempts\" must be 1 to \(Self.attemptRange.upperBound).")
    }
    guard auditPictures.map({ (0...4).contains($0) }) != false else {
      throw ServiceError(.badValue, "\"audit_images\" must be 0 to 4.")
    }
    guard settings.keepsPictures || (auditPictures == nil && !keepsClip) else {
      throw ServiceError(.forbidden, "This server keeps no pictures and no clips (--no-pictures).")
    }
    guard !keepsClip || recorder != nil else {
      throw ServiceError(.forbidden, "This server makes no clips.")
    }
    try refuse(sources, keepingFrames: auditPictures != nil || keepsClip)
    let secret = Secrets.make(prefix: "", count: 43, using: &dice)
    let name = Secrets.ordered(prefix: settings.space.checkPrefix, count: 18, at: clock.timeOfDay(), using: &dice)
    guard let id = SessionID(name) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let isAble = abilities?.isEverything ?? true
    let defaults = side == nil ? defaultTasks : nil
    let wanted = tasks ?? defaults ?? (isAble ? nil : [TaskWish(kind: "head-turn")])
    let chosen = wanted.map { wishes in
      CheckTasks(wishes: wishes, seed: newSeed(), abilities: isAble ? nil : abilities)
    }
    _ = try chosen?.plan()  // refuses what cannot be asked
    let check = newCheck(
      id, secret: secret, side: side, person: person, device: device,
      expectsDepth: expectsDepth || sources.contains(.depth), reference: reference,
      tasks: chosen, attempts: attempts, auditPictures: auditPictures, keepsClip: keepsClip, sources: sources,
      takesScan: takesScan)
    try await refuseLockedOut(check.subjects)
    try await store.create(check)
    meter.created()
    return (check, token(of: check, secret: secret))
  }

  /// The token that opens a check, made of the secret whose digest the check keeps.
  func token(of check: CheckRecord, secret: String) -> String {
    tokens.make(for: check.id, secret: secret, created: check.created, expires: check.expires)
  }

  /// A check that nobody keeps yet.
  func newCheck(
    _ id: SessionID, secret: String, side: Side?, person: PersonID?, device: DeviceID? = nil, expectsDepth: Bool,
    reference: String?, tasks: CheckTasks? = nil, attempts: Int = 1, auditPictures: Int? = nil,
    keepsClip: Bool = false, sources: CheckSources = .observed, takesScan: Bool = false
  ) -> CheckRecord {
    let chosen: Side
    if let side { chosen = side } else { chosen = HeadTurnChallenge.choose(using: &dice) }
    let now = clock.timeOfDay()
    return CheckRecord(
      id: id, token: SecretDigest(of: secret), created: now, expires: now.adding(settings.lifetime), side: chosen,
      person: person, device: device, expectsDepth: expectsDepth, reference: reference, tasks: tasks,
      attempts: attempts, auditPictures: auditPictures, keepsClip: keepsClip, sources: sources, takesScan: takesScan)
  }

  /// The tasks of a check whose creation names none, to be chosen by chance; nil: the head turn alone.
  private var defaultTasks: [TaskWish]? { settings.defaultChallenge == .tasks ? [] : nil }

  /// What a session of a compatible API asks for; nil: the head turn alone.
  func sessionTasks() -> CheckTasks? { defaultTasks.map { CheckTasks(wishes: $0, seed: newSeed()) } }

  /// Rejects sources that the operator does not allow, and those without frames for a check whose frames are to be kept.
  private func refuse(_ sources: CheckSources, keepingFrames: Bool) throws {
    let device = sources.intersection(.device)
    guard !device.isEmpty else { return }
    guard settings.allowsClaims else { throw ServiceError.claimsNotAllowed }
    guard !keepingFrames else {
      throw ServiceError(
        .badValue,
        "\"audit_images\" and \"clip\" need frames: leave \(device.names.joined(separator: ", ")) out of \"sources\".")
    }
  }

  /// Rejects claimed observations on a server that allows none, before their body is read.
  ///
  /// - Throws: ``ServiceError`` with `sourceNotAllowed`.
  public nonisolated func expectClaimsAllowed() throws {
    guard settings.allowsClaims else { throw ServiceError.claimsNotAllowed }
  }

  /// A check and its result, if it is decided.
  public nonisolated func read(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?) {
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    return found
  }

  /// Erases a person's checks with verdicts and pictures, enrolments, failures; checks under way end. Scans and captures are
  /// erased by ``DataErasure``.
  @discardableResult
  func erase(_ person: PersonID) async throws -> ErasureCounts {
    func end() { live = live.filter { $0.value.record.person != person } }
    end()
    var erased = try await store.erase(person)
    guard !erased.isEmpty else {
      throw ServiceError(.notFound, "Nothing is kept of a person with this id.")
    }
    end()
    await earlierChecks.forget(person)
    erased[.frameLogs] += try await tidyReels()
    return erased
  }

  /// Looks at one frame of a check and says what comes next.
  ///
  /// - Parameters:
  ///   - client: a random name of the page or app instance; the first one owns the check.
  ///   - capturedAt: when the client says it saw the frame, on its own monotonic clock.
  public func look(
    at bytes: [UInt8], of id: SessionID, token: String?, client: String?, capturedAt: Interval?
  ) async throws -> CheckStep {
    let arrived = clock.now()
    do {
      try FrameLedger.requireNothingBehindImage(bytes)
      let check = try await open(id, token: token)
      let digest = await FrameLedger.digest(of: bytes)
      let content = await FrameLedger.contentDigest(of: bytes)
      let entry = await ledger.enter(content, by: id)
      let progress: LiveCheck<Observer>.Progress
      do {
        progress = try await check.look(
          at: EncodedFrame(bytes: bytes, at: arrived), digest: digest, content: content, entry: entry, client: client,
          capturedAt: capturedAt,
          with: observer, clock: clock)
      } catch let error as DecidedMeanwhile {
        throw try await over(error.result, of: check)
      } catch let error as ObserverError {
        throw Self.mapped(error)
      }
      if progress.judged, check.record.keepsClip {
        await record(EncodedFrame(bytes: bytes, at: arrived), of: id)
      }
      try await keep(progress, of: check)
      meter.frame(progress.judged ? "judged" : "repeated", took: clock.now().since(arrived))
      return progress.step
    } catch let error as ServiceError {
      meter.frame(error.code.text, took: nil)
      throw error
    }
  }

  /// Refuses a request for a check of which a frame is looked at, before the request's body is read.
  public func expectIdle(_ id: SessionID) async throws { try await live[id]?.expectIdle() }

  /// Judges what a device says it saw, in the order given.
  public func claim(_ claims: [ClaimedObservation], of id: SessionID, token: String?, client: String?) async throws
    -> CheckStep
  {
    guard claims.count <= settings.maximumClaims else {
      throw ServiceError(
        .bodyTooLarge, "One request may bring \(settings.maximumClaims) observations; this one has \(claims.count).")
    }
    let check = try await open(id, token: token)
    do {
      let progress = try await check.claim(claims, client: client, at: clock.now(), clock: clock)
      try await keep(progress, of: check)
      return progress.step
    } catch let error as DecidedMeanwhile {
      throw try await over(error.result, of: check)
    }
  }

  /// Judges one depth capture of a check.
  public func depth(_ frame: DepthFrame, of id: SessionID, token: String?, client: String?) async throws -> CheckStep {
    let check = try await open(id, token: token)
    do {
      let progress = try await check.depth(frame, client: client, at: clock.now(), clock: clock)
      try await keep(progress, of: check)
      return progress.step
    } catch let error as DecidedMeanwhile {
      throw try await over(error.result, of: check)
    }
  }

  /// Erases a check with its verdict, pictures and frames; a check under way ends. Scans and captures are erased by
  /// ``DataErasure``.
  @discardableResult
  func erase(_ id: SessionID) async throws -> ErasureCounts {
    live[id] = nil
    var erased = try await store.erase(id)
    guard !erased.isEmpty else { throw Self.noSuchCheck }
    live[id] = nil
    await earlierChecks.forget(id)
    if let recorder, await recorder.reels().contains(id) {
      await recorder.discard(id)
      erased[.frameLogs] += 1
    }
    return erased
  }

  // MARK: - Enrolment

  /// Derives a person's own depth thresholds from several captures and keeps them as a new version.
  public func enrol(_ person: PersonID, captures: [DepthFrame]) async throws -> Enrolled {
    let measures = captures.compactMap { frame -> DepthMeasures? in
      guard case .measured(let measures) = DepthAssessment(frame) else { return nil }
      return measures
    }
    switch DepthEnrolment.derive(from: measures, settings: settings.enrolment) {
    case .enrolled(let thresholds):
      let version = try await store.enrol(person, thresholds, at: clock.timeOfDay())
      return Enrolled(version: version, captures: measures.count)
    case .refused(let refusal):
      throw ServiceError(
        .notAssessed,
        "The captures do not make an enrolment (\(refusal.rawValue)); \(measures.count) of \(captures.count) could be "
          + "measured. Send at least \(settings.enrolment.minimumCaptures) captures of one face held still.")
    }
  }

  /// What keeps the service from working; empty when it is ready.
  public func obstacles() async -> [Obstacle] { await observer.obstacles() }

  // MARK: - Inside

  private func open(_ id: SessionID, token: String?) async throws -> LiveCheck<Observer> {
    let digest = try expectToken(token, of: id)
    if let check = live[id] {
      try admit(check.record, digest)
      if let undecided = await check.resultToKeep() {
        throw try await over(undecided, of: check)
      }
      if try await isStillOurs(check) { return check }
    }
    let heldSince = clock.now()
    guard let found = try await store.takeUp(id, at: clock.timeOfDay()) else { throw Self.noSuchCheck }
    if let result = found.result, found.record.token == digest {
      throw Self.over(result, side: found.record.side)
    }
    try admit(found.record, digest)
    guard let hold = found.hold else { throw Self.elsewhere }
    // Checks made before the lockout do not get around it.
    try await refuseLockedOut(found.record.subjects)
    var shelf: PictureShelf?
    if settings.keepsPictures {
      var audits = found.record.auditPictures
      // A dialect's session has a UUID; our own checks say it themselves.
      if audits == nil, !id.text.hasPrefix(settings.space.checkPrefix) {
        audits = try await store.dialectSession(of: id)?.auditPictures
      }
      shelf = audits.map { PictureShelf(audits: $0) }
    }
    let check = try await resumed(found.record, hold, since: heldSince, shelf: shelf)
    // Another request may have opened it while the store was read.
    if let check = live[id] { return check }
    guard live.count < settings.maximumLiveChecks else {
      throw ServiceError(.busy, "\(live.count) checks are under way, the most this server takes. Try again shortly.")
    }
    guard shelf == nil || live.values.count(where: \.keepsPictures) < settings.maximumChecksWithPictures else {
      throw ServiceError(
        .busy, "As many checks that keep pictures are under way as this server takes. Try again shortly.")
    }
    live[id] = check
    // A part of the film is in another server's folder, or was not recorded.
    if found.record.keepsClip, hold.wasElsewhere {
      brokenReels.insert(id)
      await recorder?.discard(id)
    }
    return check
  }

  /// A check that this server has taken, as it was left.
  func resumed(
    _ record: CheckRecord, _ hold: TakenCheck.Hold, since heldSince: Instant, shelf: PictureShelf? = nil
  ) async throws -> LiveCheck<Observer> {
    let attempts = try attempts(of: record)
    var thresholds: DepthThresholds?
    if let person = record.person { thresholds = try await store.thresholds(of: person) }
    let basis: DepthBasis = record.expectsDepth ? thresholds.map { .enrolled($0) } ?? .notEnrolled : .noDepth
    let state = await begin(
      LiveCheckState(record, attempts: attempts, basis: basis, settings: settings), with: hold)
    return LiveCheck<Observer>(
      state, epoch: hold.epoch, heldSince: heldSince, thresholds: thresholds, track: observer.newTrack(),
      earlierChecks: earlierChecks, shelf: shelf)
  }

  /// What each attempt of a check asks for: the first what was chosen when it was created, each other a new choice.
  private func attempts(of record: CheckRecord) throws -> [AttemptPlan] {
    var attempts = [try AttemptPlan(firstOf: record)]
    while attempts.count < record.attempts {
      let seed = record.tasks == nil ? [] : newSeed()
      attempts.append(try AttemptPlan(of: record, seed: seed, side: HeadTurnChallenge.choose(using: &dice)))
    }
    return attempts
  }

  private func newSeed() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &dice) } }

  private func admit(_ record: CheckRecord, _ digest: SecretDigest) throws {
    guard record.token == digest else { throw Self.wrongToken }
    guard clock.timeOfDay() < record.expires else {
      throw ServiceError(
        .tokenExpired, "The check's token has expired after \(Int(settings.lifetime.inSeconds)) s. Create a new check.")
    }
  }

  /// What to tell of a check that is decided and whose verdict may not be kept yet, because keeping it is under way or
  /// failed: it is kept first.
  private func over(_ result: CheckResult, of check: LiveCheck<Observer>) async throws -> ServiceError {
    try await keep(result, of: check)
    return Self.over(result, side: check.record.side)
  }

  /// Keeps the result, if there is one, before anybody hears of it.
  func keep(_ progress: LiveCheck<Observer>.Progress, of check: LiveCheck<Observer>) async throws {
    if let result = progress.result { try await keep(result, of: check) }
  }

  func keep(_ result: CheckResult, of check: LiveCheck<Observer>) async throws {
    let id = check.record.id
    do {
      guard try await keepOnce(id, result, check.pictures(for: result), under: check.epoch) else {
        live[id] = nil
        // Something else was decided first: what is kept is what is told.
        if let kept = try await store.check(id)?.result, kept.outcome != result.outcome || kept.reason != result.reason
        {
          throw Self.over(kept, side: check.record.side)
        }
        return
      }
    } catch let error as ServiceError where Self.isGone(error) {
      // Another server has it by now, or it was erased there.
      if live[id] === check { live[id] = nil }
      throw error
    }
    if let frames = await check.framesToRemember() {
      await earlierChecks.remember(frames, of: id, person: check.record.person, at: clock.timeOfDay())
    }
    // The verdict stands, whatever becomes of the film.
    try? await endBrokenClip(of: check.record)
    // Learned on top of what the check was judged by, and of nothing else: who was erased or enrolled anew meanwhile stays so.
    if let person = check.record.person, let learned = await check.learnedThresholds(),
      try await store.thresholds(of: person) == check.thresholds
    {
      _ = try await store.enrol(person, learned, at: clock.timeOfDay())
    }
    live[id] = nil
  }

  /// True when this call wrote the result, false when it was there.
  @discardableResult
  func keepOnce(
    _ id: SessionID, _ result: CheckResult, _ pictures: [KeptPicture] = [], under epoch: Int? = nil
  ) async throws -> Bool {
    do {
      try await store.decide(id, result, keeping: pictures, counting: rules(for: result), under: epoch)
    } catch let error as StoreError where error.code == .overtaken {
      throw Self.elsewhere
    } catch let error as StoreError where error.code == .duplicate {
      return false
    } catch let error as StoreError where error.code == .missing {
      throw Self.noSuchCheck  // erased meanwhile
    }
    meter.decided(result)
    return true
  }

  /// Adds a frame to a check's reel. A full disk costs the film and not the verdict: the film is then told as failed.
  private func record(_ frame: EncodedFrame, of id: SessionID) async {
    guard let recorder, !brokenReels.contains(id) else { return }
    do {
      try await recorder.record(frame, of: id)
    } catch {
      brokenReels.insert(id)
      await recorder.discard(id)
    }
  }

  private static func over(_ result: CheckResult, side: Side) -> ServiceError {
    ServiceError(
      .checkOver, "This check is decided; further frames change nothing. Create a new check.",
      step: .final(result, side: side))
  }

  /// How many attempts a check may have.
  private static var attemptRange: ClosedRange<Int> { 1...5 }

  /// True where nothing is left to do for a check: it is decided or erased, or another server has it.
  static func isGone(_ error: ServiceError) -> Bool {
    error == elsewhere || error.code == .checkOver || error.code == .notFound
  }

  static var noSuchCheck: ServiceError {
    ServiceError(.notFound, "There is no check with this id on this server.")
  }

  static func mapped(_ error: ObserverError) -> ServiceError {
    let code: ServiceError.Code =
      switch error.code {
      case .notAPicture: .notAPicture
      case .pictureTooLarge: .pictureTooLarge
      case .modelUnavailable: .modelUnavailable
      default: .busy
      }
    return ServiceError(code, error.reason)
  }
}
