internal import MienLiveSessions
public import MienPlatform
public import MienSecurity
internal import MienAvatars
internal import MienExpressions
public import MienCore
internal import MienVault
internal import MienWorkers

/// Use cases of messages: locking, viewing, opening and deleting them, and performing sequences.
public actor MessageService {
  /// A performance that is ready to begin.
  public struct Begun: Sendable {
    public let id: CheckID
    /// Not stored; cannot be retrieved again.
    public let token: String
    public let expires: UnixTime
    /// Number of steps to perform.
    public let steps: Int
  }

  /// A locked message with its secrets, which are not stored in plaintext: the receipt for deleting it, and the secret
  /// part of its link if the sender asked for one.
  public typealias Locked = (state: MessageState, receipt: String, link: String?)

  public nonisolated let settings: MessageSettings
  /// The stores that the service needs.
  public typealias Store = MessageStore & PerformanceStore & AttemptWaitStore

  let store: any Store
  nonisolated let observer: any FaceTracking
  package nonisolated let clock: any ServiceClock
  nonisolated let keyring: MasterKeyring
  /// One for each of the keyring's keys for messages, newest first.
  nonisolated let vaults: [MessageCipher]
  /// Derives the keys of new messages, separately from ``decryptionQueue``, so that locking many messages does not
  /// prevent others from being opened.
  nonisolated let encryptionQueue = derivationQueue("mien.message-encryption")
  /// Derives the keys for attempts to open messages.
  nonisolated let decryptionQueue = derivationQueue("mien.message-decryption")
  nonisolated let tokens: SessionTokens
  private nonisolated let avatars: any AvatarSource
  nonisolated let images: any MessageImageDecoding
  /// Adds a content credential to a GIF; `nil` if the operator has no certificate for it.
  nonisolated let signing: (@Sendable ([UInt8]) -> [UInt8])?
  private nonisolated let retention: PurgeCounter
  nonisolated let meter: ServiceMetrics
  let replayGuard = ReplayGuard()
  private var sheets: [String: SpriteSheet] = [:]
  var randomness: any RandomNumberGenerator & Sendable
  /// Performances that this server holds.
  package var live: [CheckID: ActivePerformance] = [:]
  var admission: PerformanceAdmission
  /// Recordings with which a message is being locked.
  private var locking: Set<CheckID> = []
  var buckets: [MessageRateClass: TokenBucketRateLimiter<String>]
  /// Waits of each address at each message, so that no address uses up the attempts of all others; `nil` for none.
  nonisolated let waits: AttemptWaits?
  var imagesUnderWay = 0

  /// - Parameters:
  ///   - keyring: the server's part of every message's key; the database alone cannot open a message.
  ///   - tokens: creates the performances' tokens.
  ///   - images: reads message IDs and sprite sheets in images.
  ///   - signing: adds a content credential to a GIF; called on a worker thread. `nil` for none.
  ///   - retention: counts data deleted at the end of its retention period.
  ///   - meter: metrics; shared by the services of one process.
  public init(
    store: any Store, observer: any FaceTracking, clock: any ServiceClock, settings: MessageSettings,
    keyring: MasterKeyring,
    tokens: SessionTokens, avatars: any AvatarSource, images: any MessageImageDecoding,
    generator: any RandomNumberGenerator & Sendable,
    retention: PurgeCounter = PurgeCounter(), meter: ServiceMetrics = ServiceMetrics(),
    signing: (@Sendable ([UInt8]) -> [UInt8])? = nil
  ) {
    self.signing = signing
    self.retention = retention
    self.meter = meter
    vaults = keyring.messageSecrets.map { secret in
      guard let vault = MessageCipher(secret: secret, cost: settings.keyCost) else {
        preconditionFailure("the keys of a keyring have 32 bytes")
      }
      return vault
    }
    self.store = store
    self.observer = observer
    self.clock = clock
    self.settings = settings
    self.keyring = keyring
    self.tokens = tokens
    self.avatars = avatars
    self.images = images
    admission = PerformanceAdmission(settings)
    buckets = Self.buckets(settings.locksPerHour)
    waits = settings.firstAttemptWait.map { AttemptWaits(first: $0) }
    self.randomness = generator
  }

  // MARK: - Messages

  /// Locks a message. A recording locks only one message, which is returned again if the same request is repeated.
  public func lock(_ options: CreateMessageOptions) async throws -> Locked {
    switch options.steps {
    case .names(let names): try await lock(options, under: Self.sequence(of: names))
    case .recording(let id, let token): try await lock(options, with: id, token: token)
    }
  }

  /// Saves the message's ID with the recording before the message itself: a repeated request, on this or another
  /// server, finds the message or locks the same one.
  private func lock(_ options: CreateMessageOptions, with recording: CheckID, token: String) async throws -> Locked {
    guard locking.insert(recording).inserted else { throw Self.isLocking }
    defer { locking.remove(recording) }
    let incomplete = ServiceError(.badValue, "This recording is not complete.")
    let performance: ActivePerformance
    do {
      performance = try await self.performance(recording, token: token)
    } catch let error as ServiceError where error == Self.elsewhere {
      // A complete recording is not held by any server.
      throw incomplete
    }
    guard let sequence = await performance.recording else { throw incomplete }
    let before = await performance.locked
    if let before {
      if let message = try await store.message(before.message) {
        guard before.options == options.digest else {
          throw ServiceError(
            .notFound, "This recording has already locked another message. Make a new recording.")
        }
        return (state(of: message, at: clock.timeOfDay()), before.receipt, before.link)
      }
      if before.options == options.digest {
        // A server stopped in between, or another request saves the message at this moment.
        let message = try await message(
          options, sequence, id: before.message, receipt: before.receipt, link: before.link)
        do { try await store.save(message) } catch let error as StoreError where error.code == .duplicate {}
        return (state(of: message, at: clock.timeOfDay()), before.receipt, before.link)
      }
    }
    let id = settings.realm.newNumber(using: &randomness)
    let receipt = Self.newReceipt(using: &randomness)
    let link = options.needsLink ? Self.newLink(using: &randomness) : nil
    let message = try await message(options, sequence, id: id, receipt: receipt, link: link)
    await performance.lock(.init(options: options.digest, message: id, receipt: receipt, link: link))
    guard let draft = await performance.closingDraft(at: clock.now()), try await save([draft]).contains(recording)
    else {
      throw Self.isLocking
    }
    try await store.save(message)
    admission.leave(recording)
    return (state(of: message, at: clock.timeOfDay()), receipt, link)
  }

  private static var isLocking: ServiceError {
    ServiceError(.busy, "A message is being locked with this recording. Try again in 1 s.", retryAfter: 1)
  }

  private static func derivationQueue(_ label: String) -> DerivationQueue {
    DerivationQueue(
      label, capacity: 128,
      full: ServiceError(
        .busy, "Too many messages are being locked or opened right now. Try again shortly.", retryAfter: 5))
  }

  private static func newReceipt(using generator: inout any RandomNumberGenerator & Sendable) -> String {
    RandomTokens.make(prefix: "rcp_", count: 43, using: &generator)
  }

  /// Returns the secret part of a message's link, 132 bits.
  private static func newLink(using generator: inout any RandomNumberGenerator & Sendable) -> String {
    RandomTokens.make(prefix: "", count: 22, using: &generator)
  }

  private func lock(_ options: CreateMessageOptions, under sequence: ExpressionSequence) async throws -> Locked {
    let receipt = Self.newReceipt(using: &randomness)
    let link = options.needsLink ? Self.newLink(using: &randomness) : nil
    let message = try await message(
      options, sequence, id: settings.realm.newNumber(using: &randomness), receipt: receipt, link: link)
    try await store.save(message)
    return (state(of: message, at: clock.timeOfDay()), receipt, link)
  }

  /// Creates a message that is not saved yet.
  private func message(
    _ options: CreateMessageOptions, _ sequence: ExpressionSequence, id: MessageID, receipt: String, link: String?
  ) async throws -> MessageRecord {
    let text: MessageText
    do { text = try MessageText(options.text) } catch { throw Self.refused(error) }
    guard let mode = MessageRecord.Mode(rawValue: options.mode) else {
      throw ServiceError(.badValue, "\"mode\" must be \"open\" or \"secret\".")
    }
    guard avatars.names.contains(options.avatar) else {
      throw ServiceError(.badValue, "\"avatar\" must be one of \(avatars.names.joined(separator: ", ")).")
    }
    guard !options.takesClaims || settings.allowsClaims else { throw ServiceError.messageClaimsNotAllowed }
    if !options.takesClaims { try Self.expectReliable(sequence) }
    let now = clock.timeOfDay()
    let rules = try rules(of: options, from: now)
    guard let lock = UnlockPolicyState(rules: rules) else { preconditionFailure("a new lock is valid") }
    let (cipher, cipherRandomness) = (vaults[0], MessageCipher.Randomness(using: &randomness))
    let sealed = try await encryptionQueue.run {
      cipher.close(text, under: sequence, link: link, as: id.text, with: cipherRandomness)
    }
    let hint = mode == .open ? Array(sequence.text.utf8) : nil
    return MessageRecord(
      id: id, receipt: SecretDigest(of: receipt), created: now, mode: mode, avatar: options.avatar,
      steps: sequence.steps.count, needsFrames: !options.takesClaims, needsPassive: options.needsPassive,
      link: link.map { SecretDigest(of: $0) }, lock: lock, sealed: sealed,
      hint: hint.map { keyring.close(Self.padded($0), as: Self.hintLabel(id), using: &randomness) })
  }

  /// Returns the state of a message that anyone with its ID can read. Does not count as a view.
  public func state(of number: String) async throws -> MessageState {
    let message = try await message(number)
    var state = state(of: message, at: clock.timeOfDay())
    // A lost key leaves the state of the message readable; only its GIF reports the loss.
    state.expressions = (try? shownSequence(of: message))?.steps.map(\.text)
    return state
  }

  /// Returns the message's GIF, which contains its ID: an open one shows the sequence, a secret one an idle animation.
  ///
  /// - Parameters:
  ///   - style: `classic` or `smooth`; `nil` for classic.
  ///   - labelSeconds: time for which the image with the ID is shown, 0.5…10 s; `nil` for 0.5 s.
  /// - Throws: ``ServiceError`` with `badValue` for other values.
  public func gif(of number: String, style: String? = nil, labelSeconds: Double? = nil) async throws -> [UInt8] {
    let options = try Self.gifOptions(style, labelSeconds)
    let message = try await message(number)
    let sequence = try shownSequence(of: message)
    let sheet = try sheet(message.avatar)
    return await WorkerPool.shared.run { [signing] in
      let gif = Self.gif(of: message, sequence, sheet, options)
      return signing?(gif) ?? gif
    }
  }

  /// Deletes a message for its sender, even if it has ended.
  public func delete(_ number: String, receipt: String?) async throws {
    let message = try await message(number, of: receipt)
    let now = clock.timeOfDay().instant
    _ = try await store.changeLock(of: message.id) { lock in
      lock.expire(at: now)
      lock.delete()
    }
  }

  // MARK: - Performances

  /// Begins a performance that may open a message. Nothing is counted before its last step.
  ///
  /// - Parameters:
  ///   - link: the secret part of the message's link, for a message whose sender asked for one.
  ///   - caller: one key for all clients behind an address; `nil` for a client that is not counted.
  /// - Throws: ``ServiceError`` with `linkRequired` without the link that the message needs: then nothing is counted.
  public func unlock(
    _ number: String, link: String? = nil, of caller: String? = nil
  ) async throws -> Begun {
    let message = try await message(number)
    if let expected = message.link, link.map({ SecretDigest(of: $0) }) != expected { throw Self.linkRequired }
    let standing = MessageAvailability(message.lock.standing(at: clock.timeOfDay().instant))
    switch standing {
    case .ready: break
    case .waiting(let until): throw locked(until: until)
    case .read, .expired, .deleted: throw Self.gone(standing)
    }
    if let caller, let wait = try await remainingWait(of: caller, at: message.id) { throw Self.waiting(wait) }
    return try await begin(
      .open(message.id, link: message.link == nil ? nil : link), length: message.steps,
      needsFrames: message.needsFrames, needsPassive: message.needsPassive,
      of: caller)
  }

  /// Begins a performance that records a sequence of `length` steps, 3…12.
  ///
  /// - Parameter caller: one key for all clients behind an address; `nil` for a client that is not counted.
  public func record(length: Int?, of caller: String? = nil) async throws -> Begun {
    let length = length ?? ExpressionSequence.standardLength
    guard ExpressionSequence.lengths.contains(length) else {
      throw ServiceError(.badValue, "\"steps\" must be 3 to 12.")
    }
    return try await begin(
      .record, length: length, needsFrames: false, needsPassive: false, of: caller)
  }

  /// Analyzes one frame of a performance and returns the next step.
  public func processFrame(
    at bytes: [UInt8], of id: CheckID, token: String?, client: String?, capturedAt: Interval?, number: Int64? = nil
  ) async throws -> PerformanceStep {
    let arrived = clock.now()
    try ReplayGuard.requireNothingBehindImage(bytes)
    let performance = try await performance(id, token: token)
    let content = await ReplayGuard.contentDigest(of: bytes)
    let isRepeated = await replayGuard.find(content, by: id) == .sameSession
    do {
      if let number, isRepeated, await performance.intake.isUsed(number) {
        return try await performance.repeatedStep(at: arrived, of: client)
      }
      let progress = try await inTurn(number, of: client, in: performance, orThrow: Self.elsewhere) {
        try await performance.processFrame(
          at: EncodedFrame(bytes: bytes, at: arrived), content: content, isRepeated: isRepeated,
          replayGuard: replayGuard,
          client: client,
          capturedAt: capturedAt, number: number, with: observer)
      }
      return try await answer(progress, of: performance)
    } catch let error as FaceTrackingError {
      throw ServiceError(error)
    }
  }

  /// Processes observations reported by the client, in the given order.
  public func claim(_ claims: [ClientObservation], of id: CheckID, token: String?, client: String?) async throws
    -> PerformanceStep
  {
    guard settings.allowsClaims else { throw ServiceError.messageClaimsNotAllowed }
    guard claims.count <= settings.maximumClaims else {
      throw ServiceError(
        .bodyTooLarge, "One request may contain \(settings.maximumClaims) observations; this one has \(claims.count).")
    }
    let performance = try await performance(id, token: token)
    return try await answer(
      try await performance.claim(claims, client: client, at: clock.now()), of: performance)
  }

  /// Deletes expired performances and texts, performances that received no frame, and the IDs of messages that ended
  /// long ago. Call it about once per second.
  public func expireAndPurge() async throws {
    let time = clock.timeOfDay()
    live = live.filter { time < $0.value.expires }
    admission.remove(at: time)
    meter.performing(live.count, in: settings.realm)
    _ = try await store.purgePerformances(at: time, limit: 500)
    retention.note(.messages, try await store.expireMessages(at: time, limit: 200))
    try await waits?.purge(store, at: time)
    let forgotten = time.adding(Interval(nanoseconds: -settings.endedMessageRetention.nanoseconds))
    _ = try await store.purgeMessages(expiredBefore: forgotten, limit: 200)
  }

  // MARK: - Implementation

  /// Returns the sequence with these expressions.
  private static func sequence(of names: [String]) throws -> ExpressionSequence {
    do {
      // Reads at most one name more than the longest sequence has, which is then rejected.
      let steps = names.prefix(ExpressionSequence.lengths.upperBound + 1).compactMap { FaceExpression(text: $0) }
      guard steps.count == min(names.count, ExpressionSequence.lengths.upperBound + 1) else {
        throw ServiceError(
          .badValue, "\"steps\" may contain \(FaceExpression.allCases.map(\.text).joined(separator: ", ")) only.")
      }
      return try ExpressionSequence(steps)
    } catch let error as SequenceError {
      throw ServiceError(.badValue, "\"steps\" is not a sequence of expressions: \(error).")
    }
  }

  private func sheet(_ name: String) throws -> SpriteSheet {
    if let sheet = sheets[name] { return sheet }
    guard avatars.names.contains(name), let sheet = try? avatars.sheet(name) else {
      throw ServiceError(.unavailable, "The images of the avatar \"\(name)\" are missing on this server.")
    }
    sheets[name] = sheet
    return sheet
  }
}
