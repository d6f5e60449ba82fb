internal import MienLiveSessions
public import MienPlatform
public import MienSecurity
internal import MienLiveness
public import MienCore

/// Use cases of liveness checks: creating them, analyzing frames, deciding, and storing and reading results.
public actor LivenessCheckService {
  /// The result of an enrollment.
  public struct Enrolled: Sendable {
    /// Version of the person's thresholds that is now in effect.
    public let version: Int
    /// Number of captures that could be measured.
    public let captures: Int
  }

  /// The stores that the service needs.
  public typealias Store = CheckStore & EnrollmentStore & EncryptedSecretStore & CompatibilitySessionStore
    & ImageStore & LockoutStore & ClipStore & SnapshotStore & TemplateStore

  public nonisolated let settings: ServiceSettings
  nonisolated let meter: ServiceMetrics
  nonisolated let store: any Store
  nonisolated let observer: any FaceTracking
  package nonisolated let clock: any ServiceClock
  /// Decrypts the secrets in the store; without it (`nil`) there are no access keys and no signatures.
  nonisolated let keyring: MasterKeyring?
  nonisolated let tokens: SessionTokens
  /// Counts data deleted at the end of its retention period.
  nonisolated let retention: PurgeCounter
  /// Records frames for clips; `nil` if this server makes no clips.
  nonisolated let recorder: (any FrameLogWriter)?
  /// Compares faces; `nil` on a server without the recognition model.
  nonisolated let comparer: FaceComparer?
  let replayGuard = ReplayGuard()
  let earlierChecks = EarlierChecks()
  var randomness: any RandomNumberGenerator & Sendable
  package var live: [CheckID: ActiveCheck] = [:]
  /// Checks whose frame log lacks a frame: an incomplete clip would be mistaken for the complete one.
  var incompleteFrameLogs: Set<CheckID> = []
  /// Expired checks that could not be read, with the time of the first failure.
  var unreadable: [CheckID: UnixTime] = [:]

  /// - Parameters:
  ///   - tokens: creates the checks' tokens; `nil` creates tokens that become invalid when this service ends.
  ///   - meter: metrics; shared by the services of one process.
  ///   - recorder: records frames for clips; `nil` makes no clips.
  ///   - retention: counts data deleted at the end of its retention period; shared by the services of one realm.
  ///   - comparer: compares faces; `nil` without a recognition model.
  public init(
    store: any Store, observer: any FaceTracking, clock: any ServiceClock, settings: ServiceSettings,
    generator: any RandomNumberGenerator & Sendable, keyring: MasterKeyring? = nil, tokens: SessionTokens? = nil,
    meter: ServiceMetrics = ServiceMetrics(),
    recorder: (any FrameLogWriter)? = nil, retention: PurgeCounter = PurgeCounter(), comparer: FaceComparer? = nil
  ) {
    var generator = generator
    self.store = store
    self.keyring = keyring
    self.tokens = tokens ?? SessionTokens(using: &generator)
    self.meter = meter
    self.recorder = recorder
    self.retention = retention
    self.comparer = comparer
    self.observer = observer
    self.clock = clock
    self.settings = settings
    self.randomness = generator
  }

  // MARK: - Checks

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - side: the side to turn to; `nil` chooses one at random.
  ///   - reference: the integrator's own note, at most 128 characters; longer ones are rejected.
  ///   - assurance: the strength of the tasks; `nil` for the server's default. If tasks or a side are requested as well,
  ///     they decide, and must be at least as strong.
  ///   - tasks: the tasks to request, in this order; `nil` or an empty array requests the head turn to `side` if that is
  ///     given, and the tasks of the level otherwise.
  ///   - abilities: the actions that the person can perform; `nil` means all. With restrictions, the check always uses
  ///     tasks, because the substitute for a head turn is not a head turn.
  ///   - attempts: maximum number of attempts, 1…5, whatever the reason of the failure. Each further attempt has a new
  ///     challenge, and also gives an attacker another chance. `nil` grants up to three, after failures that show a
  ///     person in difficulty.
  ///   - auditImages: number of images to store in addition to the face image, 0…4; `nil` stores none at all.
  ///   - keepsClip: `true` to store a clip of the frames.
  ///   - sources: the kinds of observations to accept; anything but frames is rejected unless the operator allows it.
  ///   - takesScan: `true` to allow the upload of one depth scan with the check's token.
  ///   - takesCaptures: `true` to allow captures to be sent with the check's token.
  ///   - referenceImage: a picture of the person to compare the face with. It is not stored, only its template, until
  ///     the check is decided.
  ///   - templateUse: purpose for which the check uses the template of its person; `nil` uses none.
  ///   - returnURL: address that the check's page leads back to, of an origin that the operator allows.
  /// - Returns: the check and its token, which is not stored and cannot be retrieved again.
  public func create(
    side: Side?, person: PersonID?, device: DeviceID? = nil, expectsDepth: Bool, reference: String?,
    assurance: AssuranceLevel? = nil, tasks: [TaskOptions]? = nil, abilities: AccessibilityOptions? = nil,
    attempts: Int? = nil, auditImages: Int? = nil, keepsClip: Bool = false, sources: CheckSources = .observed,
    takesScan: Bool = false, takesCaptures: Bool = false, referenceImage: [UInt8]? = nil,
    templateUse: TemplateUse? = nil, returnURL: String? = nil
  ) async throws -> (check: CheckRecord, token: String) {
    guard (reference?.unicodeScalars.count).map({ $0 <= 128 }) != false else {
      throw ServiceError(.badValue, "\"reference\" is longer than 128 characters.")
    }
    guard attempts.map(Self.attemptRange.contains) != false else {
      throw ServiceError(.badValue, "\"attempts\" must be 1 to \(Self.attemptRange.upperBound).")
    }
    guard auditImages.map({ (0...4).contains($0) }) != false else {
      throw ServiceError(.badValue, "\"audit_images\" must be 0 to 4.")
    }
    guard settings.keepsImages || (auditImages == nil && !keepsClip) else {
      throw ServiceError(.forbidden, "This server stores no images and no clips (--no-images).")
    }
    guard !keepsClip || recorder != nil else {
      throw ServiceError(.forbidden, "This server makes no clips.")
    }
    try refuse(sources, keepingFrames: auditImages != nil || keepsClip)
    if let templateUse {
      try await expectTemplate(of: person, for: templateUse, sources: sources, hasImage: referenceImage != nil)
    }
    var faceReference: FaceReference?
    if let referenceImage { faceReference = try await self.faceReference(in: referenceImage, sources: sources) }
    let secret = RandomTokens.make(prefix: "", count: 43, using: &randomness)
    let name = RandomTokens.ordered(
      prefix: settings.realm.checkPrefix, count: 18, at: clock.timeOfDay(), using: &randomness)
    guard let id = CheckID(name) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let challenge = try CheckChallenge(
      assurance: assurance, standard: settings.defaultAssurance, tasks: tasks, side: side, abilities: abilities,
      seed: newSeed())
    if sources.contains(.depth), let level = challenge.assurance, level != .basic {
      throw ServiceError(
        .badValue,
        "\"sources\": \"depth\" passes a check without any task, which is weaker than \"assurance\": "
          + "\"\(level.rawValue)\". Request \"assurance\": \"basic\" or \"tasks\", or leave \"depth\" out.")
    }
    let check = newCheck(
      id, secret: secret, side: side, person: person, device: device,
      expectsDepth: expectsDepth || sources.contains(.depth), reference: reference,
      challenge: challenge, attempts: attempts, auditImages: auditImages, keepsClip: keepsClip, sources: sources,
      takesScan: takesScan, takesCaptures: takesCaptures, faceReference: faceReference, templateUse: templateUse,
      returnURL: returnURL)
    try await refuseLockedOut(check.subjects)
    try await store.create(check)
    meter.created()
    return (check, token(of: check, secret: secret))
  }

  /// Returns the token of a check, made from the secret whose digest the check stores.
  func token(of check: CheckRecord, secret: String) -> String {
    tokens.make(for: check.id, secret: secret, created: check.created, expires: check.expires)
  }

  /// Returns a new check that is not stored yet.
  func newCheck(
    _ id: CheckID, secret: String, side: Side?, person: PersonID?, device: DeviceID? = nil, expectsDepth: Bool,
    reference: String?, challenge: CheckChallenge, attempts: Int? = nil, auditImages: Int? = nil,
    keepsClip: Bool = false, sources: CheckSources = .observed, takesScan: Bool = false,
    takesCaptures: Bool = false, takesTasks: Bool = false, faceReference: FaceReference? = nil,
    templateUse: TemplateUse? = nil, returnURL: String? = nil
  ) -> CheckRecord {
    let chosen: Side
    if let side { chosen = side } else { chosen = HeadTurnChallenge.choose(using: &randomness) }
    let now = clock.timeOfDay()
    return CheckRecord(
      id: id, token: SecretDigest(of: secret), created: now, expires: now.adding(settings.lifetime), side: chosen,
      person: person, device: device, expectsDepth: expectsDepth, reference: reference,
      assurance: challenge.assurance, bitsOfChoice: challenge.bitsOfChoice, tasks: challenge.tasks,
      attempts: attempts, auditImages: auditImages, keepsClip: keepsClip, sources: sources, takesScan: takesScan,
      takesCaptures: takesCaptures, takesTasks: takesTasks, faceReference: faceReference,
      templateUse: templateUse, returnURL: returnURL)
  }

  /// Returns the challenge of a session of a compatible API.
  ///
  /// - Parameter tasks: tasks to request; `nil` for those of the server's default level.
  /// - Throws: ``ServiceError`` with code `badValue` for tasks that cannot be requested.
  func sessionChallenge(_ tasks: [TaskOptions]? = nil) throws -> CheckChallenge {
    try CheckChallenge(assurance: nil, standard: settings.defaultAssurance, tasks: tasks, seed: newSeed())
  }

  /// Replaces the tasks of a check before it begins, for the person's app. Only checks whose creator left the choice to
  /// the app accept this: sessions of the Youverify-compatible API that were generated without tasks.
  ///
  /// The app could leave out what is hard to forge; the backend sees the tasks in the result.
  public func choose(_ tasks: [TaskOptions], of id: CheckID, token: String?) async throws {
    let digest = try expectToken(token, of: id)
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    if let result = found.result, found.record.token == digest { throw Self.over(result, side: found.record.side) }
    try admit(found.record, digest)
    guard !tasks.isEmpty else { throw ServiceError(.badValue, "tasks: name at least one.") }
    // A repeated request changes nothing, and tasks that the backend asked for may be named again.
    guard found.record.tasks?.requested != tasks else { return }
    guard found.record.takesTasks else {
      throw ServiceError(
        .forbidden,
        "The tasks of this check were chosen when it was created. Request them there: \"tasks\" of session/generate, or "
          + "of POST /v1/checks.")
    }
    let challenge = try sessionChallenge(tasks)
    guard let chosen = challenge.tasks, live[id] == nil,
      try await store.choose(chosen, bitsOfChoice: challenge.bitsOfChoice, for: id)
    else {
      throw ServiceError(.forbidden, "This check has begun with other tasks. Create a new one.")
    }
  }

  /// Rejects device-reported sources that the operator does not allow, or for a check whose frames are to be stored.
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

  /// Rejects client-reported observations, before their body is read, on a server that does not allow them, unless the
  /// check only compares them with its frames.
  ///
  /// - Throws: ``ServiceError`` with `sourceNotAllowed`.
  public func expectClaimsAllowed(of id: CheckID) async throws {
    guard !settings.allowsClaims else { return }
    var sources = live[id]?.record.sources
    if sources == nil { sources = try await store.check(id)?.record.sources }
    guard sources?.contains(.compared) == true else { throw ServiceError.claimsNotAllowed }
  }

  /// Returns a check and, if it is decided, its result.
  public nonisolated func read(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?) {
    guard let found = try await store.check(id) else { throw Self.noSuchCheck }
    return found
  }

  /// Returns a check with its result like ``read(_:)``, unless it is unchanged since an earlier reading.
  public nonisolated func read(_ id: CheckID, unless version: Int?) async throws -> CheckReading {
    guard let found = try await store.check(id, unless: version) else { throw Self.noSuchCheck }
    return found
  }

  /// Deletes a person's checks with verdicts and images, enrollments and recorded failures, and ends checks in
  /// progress. ``DataErasure`` deletes scans and captures.
  @discardableResult
  package func delete(_ person: PersonID) async throws -> ErasureCounts {
    func end() { live = live.filter { $0.value.record.person != person } }
    end()
    var deleted = try await store.delete(person)
    guard !deleted.isEmpty else {
      throw ServiceError(.notFound, "There is no data of a person with this ID.")
    }
    end()
    await earlierChecks.remove(person)
    deleted[.frameLogs] += try await purgeFrameLogs()
    return deleted
  }

  /// Deletes a check with its verdict, images and frames, and ends it if it is in progress. ``DataErasure`` deletes
  /// scans and captures.
  @discardableResult
  package func delete(_ id: CheckID) async throws -> ErasureCounts {
    live[id] = nil
    var deleted = try await store.delete(id)
    guard !deleted.isEmpty else { throw Self.noSuchCheck }
    live[id] = nil
    await earlierChecks.remove(id)
    if let recorder, await recorder.frameLogs().contains(id) {
      await recorder.discard(id)
      deleted[.frameLogs] += 1
    }
    return deleted
  }

  // MARK: - Enrollment

  /// Derives a person's depth thresholds from several captures and stores them as a new version.
  public func enroll(_ person: PersonID, captures: [DepthFrame]) async throws -> Enrolled {
    let measures = captures.compactMap { frame -> DepthMeasures? in
      guard case .measured(let measures) = DepthMeasurementResult(frame) else { return nil }
      return measures
    }
    switch DepthEnrollment.derive(from: measures, settings: settings.enrollment) {
    case .enrolled(let thresholds):
      let version = try await store.enroll(person, thresholds, at: clock.timeOfDay())
      return Enrolled(version: version, captures: measures.count)
    case .refused(let refusal):
      throw ServiceError(
        .notAssessed,
        "The captures do not make an enrollment (\(refusal.rawValue)); \(measures.count) of \(captures.count) could be "
          + "measured. Send at least \(settings.enrollment.minimumCaptures) captures of one face held still.")
    }
  }

  /// Returns the reasons why the service is not ready; empty if it is.
  public func obstacles() async -> [UnavailableReason] { await observer.obstacles() }

  // MARK: - Implementation

  func open(_ id: CheckID, token: String?) async throws -> ActiveCheck {
    let digest = try expectToken(token, of: id)
    if let check = live[id] {
      try admit(check.record, digest)
      if let undecided = await check.resultToSave() {
        throw try await over(undecided, of: check)
      }
      if try await isStillHeld(check) { return check }
    }
    let heldSince = clock.now()
    guard let found = try await store.acquire(id, at: clock.timeOfDay()) else { throw Self.noSuchCheck }
    if let result = found.result, found.record.token == digest {
      throw Self.over(result, side: found.record.side)
    }
    try admit(found.record, digest)
    guard let hold = found.hold else { throw Self.elsewhere }
    // Checks created before the lockout do not bypass it.
    try await refuseLockedOut(found.record.subjects)
    var auditImages: AuditImageSelector?
    if settings.keepsImages {
      var audits = found.record.auditImages
      // A session of a compatible API has a UUID and stores this number itself; for our own checks it is in the record.
      if audits == nil, !id.text.hasPrefix(settings.realm.checkPrefix) {
        audits = try await store.compatibilitySession(of: id)?.auditImages
      }
      auditImages = audits.map { AuditImageSelector(audits: $0) }
    }
    let check = try await resumed(found.record, hold, since: heldSince, auditImages: auditImages)
    // Another request may have opened the check while the store was being read.
    if let check = live[id] { return check }
    guard live.count < settings.maximumLiveChecks else {
      throw ServiceError(.busy, "\(live.count) checks are under way, the maximum on this server. Try again shortly.")
    }
    guard auditImages == nil || live.values.count(where: \.keepsImages) < settings.maximumChecksWithImages else {
      throw ServiceError(
        .busy, "The number of checks with stored images in progress is at its limit. Try again shortly.")
    }
    live[id] = check
    // A part of the clip is stored on another server, or was not recorded.
    if found.record.keepsClip, hold.wasElsewhere {
      incompleteFrameLogs.insert(id)
      await recorder?.discard(id)
    }
    return check
  }

  /// Restores a check that this server has acquired, from its saved state.
  func resumed(
    _ record: CheckRecord, _ hold: CheckAcquisition.Lease, since heldSince: MonotonicInstant,
    auditImages: AuditImageSelector? = nil
  ) async throws -> ActiveCheck {
    let attempts = try attempts(of: record)
    var thresholds: DepthThresholds?
    if let person = record.person { thresholds = try await store.thresholds(of: person) }
    var template: EnrolledTemplate?
    if record.templateUse == .match, let person = record.person { template = try await store.template(of: person) }
    let basis: DepthReference = record.expectsDepth ? thresholds.map { .enrolled($0) } ?? .notEnrolled : .noDepth
    let state = await begin(
      ActiveCheckState(record, attempts: attempts, basis: basis, settings: settings), with: hold)
    return ActiveCheck(
      state, epoch: hold.epoch, heldSince: heldSince, thresholds: thresholds, track: observer.newTrack(),
      earlierChecks: earlierChecks, auditImages: auditImages, comparer: comparer, template: template)
  }

  /// Returns the plan of each attempt and each new beginning: the challenge chosen at creation for the first, a new
  /// random one for each other.
  private func attempts(of record: CheckRecord) throws -> [AttemptPlan] {
    var attempts = [try AttemptPlan(firstOf: record)]
    while attempts.count < record.attemptPolicy.limit + AttemptPolicy.maximumInterruptions {
      let seed = record.tasks == nil ? [] : newSeed()
      attempts.append(try AttemptPlan(of: record, seed: seed, side: HeadTurnChallenge.choose(using: &randomness)))
    }
    return attempts
  }

  private func newSeed() -> [UInt8] { (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &randomness) } }

  nonisolated func admit(_ record: CheckRecord, _ digest: SecretDigest) throws {
    guard record.token == digest else { throw Self.wrongToken }
    guard clock.timeOfDay() < record.expires else {
      throw ServiceError(
        .tokenExpired, "The check's token has expired after \(Int(settings.lifetime.inSeconds)) s. Create a new check.")
    }
  }

  /// Allowed number of attempts of a check.
  private static var attemptRange: ClosedRange<Int> { 1...5 }

  /// Returns `true` if nothing is left to do for a check: it is decided or deleted, or another server holds it.
  static func isGone(_ error: ServiceError) -> Bool {
    error == elsewhere || error.code == .checkEnded || error.code == .notFound
  }

  static var noSuchCheck: ServiceError {
    ServiceError(.notFound, "There is no check with this id on this server.")
  }
}
