internal import MienAvatars
internal import MienExpressions
public import MienModel
internal import MienVault
internal import MienWorkers

/// The use cases of messages: lock, look at, perform, open, delete.
public actor MessageService<Observer: FaceObserver> {
  /// A performance that can begin.
  public struct Begun: Sendable {
    public let id: SessionID
    /// Not kept; it cannot be asked for again.
    public let token: String
    public let expires: UnixTime
    /// How many places there are.
    public let steps: Int
  }

  /// A message that is locked, and the receipt that deletes it, which no store keeps.
  public typealias Locked = (state: MessageState, receipt: String)

  public nonisolated let settings: MessageSettings
  /// What a service keeps things in.
  public typealias Store = MessageStore & PerformanceStore

  let store: any Store
  nonisolated let observer: Observer
  nonisolated let clock: any ServiceClock
  nonisolated let seal: Seal
  /// One for each of the seal's keys that messages may be under, the newest first.
  nonisolated let vaults: [Vault]
  /// For keys of new messages. Apart from ``openings``: locking many messages must not keep anybody from opening one.
  nonisolated let lockings = derivations("mien.lockings")
  /// For keys of messages that are tried.
  nonisolated let openings = derivations("mien.openings")
  nonisolated let tokens: SessionTokens
  private nonisolated let rack: AvatarRack
  nonisolated let pictures: MessagePictures
  private nonisolated let retention: RetentionBook
  nonisolated let meter: Meter
  let ledger = FrameLedger()
  private var sheets: [String: AvatarSheet] = [:]
  var dice: any RandomNumberGenerator & Sendable
  /// Those that are this server's just now.
  var live: [SessionID: LivePerformance<Observer>] = [:]
  var room: PerformanceRoom
  /// Recordings that a message is being locked with just now.
  private var locking: Set<SessionID> = []
  var buckets: [MessageAsking: TokenBuckets<String>]
  /// For each address at each message, so that no address uses up the attempts of everybody; nil where none waits.
  var waits: AttemptWaits<MessageClient>?
  var picturesUnderWay = 0

  /// - Parameters:
  ///   - seal: half of every message's key; a database opens nothing without it.
  ///   - tokens: makes the performances' tokens.
  ///   - pictures: reads numbers and sheets out of pictures.
  ///   - retention: counts what is erased because its time is over.
  ///   - meter: counts; services of one process share one.
  public init(
    store: any Store, observer: Observer, clock: any ServiceClock, settings: MessageSettings, seal: Seal,
    tokens: SessionTokens, avatars: AvatarRack, pictures: MessagePictures, dice: any RandomNumberGenerator & Sendable,
    retention: RetentionBook = RetentionBook(), meter: Meter = Meter()
  ) {
    self.retention = retention
    self.meter = meter
    vaults = seal.messageSecrets.map { secret in
      guard let vault = Vault(secret: secret, cost: settings.keyCost) else {
        preconditionFailure("a seal's keys have 32 bytes")
      }
      return vault
    }
    self.store = store
    self.observer = observer
    self.clock = clock
    self.settings = settings
    self.seal = seal
    self.tokens = tokens
    rack = avatars
    self.pictures = pictures
    room = PerformanceRoom(settings)
    buckets = Self.buckets(settings.locksPerHour)
    waits = settings.firstAttemptWait.map { AttemptWaits(first: $0) }
    self.dice = dice
  }

  // MARK: - Messages

  /// Locks a message. With a recording it locks one, and says so again to who asks for the very same again.
  public func lock(_ wish: MessageWish) async throws -> Locked {
    switch wish.steps {
    case .names(let names): try await lock(wish, under: Self.sequence(of: names))
    case .recording(let id, let token): try await lock(wish, with: id, token: token)
    }
  }

  /// The message's number is kept with the recording before the message itself is: whoever is asked again, here or at another
  /// server, finds the message, or locks the same one.
  private func lock(_ wish: MessageWish, with recording: SessionID, token: String) async throws -> Locked {
    guard locking.insert(recording).inserted else { throw Self.isLocking }
    defer { locking.remove(recording) }
    let incomplete = ServiceError(.badValue, "This recording is not complete.")
    let performance: LivePerformance<Observer>
    do {
      performance = try await self.performance(recording, token: token)
    } catch let error as ServiceError where error == Self.elsewhere {
      // Nobody has one that is complete.
      throw incomplete
    }
    guard let sequence = await performance.recording else { throw incomplete }
    let before = await performance.locked
    if let before {
      if let message = try await store.message(before.message) {
        guard before.wish == wish.digest else {
          throw ServiceError(
            .notFound, "This recording has locked another message, and locks one only. Record it again.")
        }
        return (state(of: message, at: clock.timeOfDay()), before.receipt)
      }
      if before.wish == wish.digest {
        // Somebody died in between, or keeps it at this moment.
        let message = try await message(wish, sequence, id: before.message, receipt: before.receipt)
        do { try await store.keep(message) } catch let error as StoreError where error.code == .duplicate {}
        return (state(of: message, at: clock.timeOfDay()), before.receipt)
      }
    }
    let id = settings.space.newNumber(using: &dice)
    let receipt = Self.newReceipt(using: &dice)
    let message = try await message(wish, sequence, id: id, receipt: receipt)
    await performance.lock(.init(wish: wish.digest, message: id, receipt: receipt))
    guard let draft = await performance.closingDraft(at: clock.now()), try await keep([draft]).contains(recording)
    else {
      throw Self.isLocking
    }
    try await store.keep(message)
    room.leave(recording)
    return (state(of: message, at: clock.timeOfDay()), receipt)
  }

  private static var isLocking: ServiceError {
    ServiceError(.busy, "A message is being locked with this recording. Try again in 1 s.", retryAfter: 1)
  }

  private static func derivations(_ label: String) -> DerivationQueue {
    DerivationQueue(
      label, capacity: 128,
      full: ServiceError(.busy, "Too many messages are locked or tried just now. Try again shortly.", retryAfter: 5))
  }

  private static func newReceipt(using dice: inout any RandomNumberGenerator & Sendable) -> String {
    Secrets.make(prefix: "rcp_", count: 43, using: &dice)
  }

  private func lock(_ wish: MessageWish, under sequence: ExpressionSequence) async throws -> Locked {
    let receipt = Self.newReceipt(using: &dice)
    let message = try await message(wish, sequence, id: settings.space.newNumber(using: &dice), receipt: receipt)
    try await store.keep(message)
    return (state(of: message, at: clock.timeOfDay()), receipt)
  }

  /// A message that nobody keeps yet.
  private func message(
    _ wish: MessageWish, _ sequence: ExpressionSequence, id: MessageCode, receipt: String
  ) async throws -> LockedMessage {
    let text: MessageText
    do { text = try MessageText(wish.text) } catch { throw Self.refused(error) }
    guard let mode = LockedMessage.Mode(rawValue: wish.mode) else {
      throw ServiceError(.badValue, "\"mode\" must be \"open\" or \"secret\".")
    }
    guard rack.names.contains(wish.avatar) else {
      throw ServiceError(.badValue, "\"avatar\" must be one of \(rack.names.joined(separator: ", ")).")
    }
    guard !wish.takesClaims || settings.allowsClaims else { throw ServiceError.messageClaimsNotAllowed }
    let now = clock.timeOfDay()
    let rules = try rules(of: wish, from: now)
    guard let lock = LockMachine(rules: rules) else { preconditionFailure("a new lock is one") }
    let (vault, randomness) = (vaults[0], Vault.Randomness(using: &dice))
    let sealed = try await lockings.run { vault.close(text, under: sequence, as: id.text, with: randomness) }
    let hint = mode == .open ? Array(sequence.text.utf8) : nil
    return LockedMessage(
      id: id, receipt: SecretDigest(of: receipt), created: now, mode: mode, avatar: wish.avatar,
      steps: sequence.steps.count, needsFrames: !wish.takesClaims, needsPassive: wish.needsPassive,
      lock: lock, sealed: sealed,
      hint: hint.map { seal.close(Self.padded($0), as: Self.hintLabel(id), using: &dice) })
  }

  /// What everybody may know of a message. Looking consumes nothing.
  public func state(of number: String) async throws -> MessageState {
    state(of: try await message(number), at: clock.timeOfDay())
  }

  /// The message's GIF, with its number in it: an open one shows the sequence, a secret one only idles.
  public func gif(of number: String) async throws -> [UInt8] {
    let message = try await message(number)
    let sequence = try shownSequence(of: message)
    let sheet = try sheet(message.avatar)
    return await WorkerPool.shared.run { Self.gif(of: message, sequence, sheet) }
  }

  /// Deletes a message for its sender. It may be over already.
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
  /// - Parameter caller: one word for everybody behind an address; nil for who is not counted.
  public func unlock(_ number: String, calibrates: Bool = false, of caller: String? = nil) async throws -> Begun {
    let message = try await message(number)
    let standing = MessageStanding(message.lock.standing(at: clock.timeOfDay().instant))
    switch standing {
    case .ready: break
    case .waiting(let until): throw locked(until: until)
    case .lockedForGood:
      throw ServiceError(.messageLocked, "All attempts at this message are used up; it stays locked.")
    case .read, .expired, .deleted: throw Self.gone(standing)
    }
    if let caller, let wait = waits?.wait(for: MessageClient(message: message.id, address: caller), at: clock.now()) {
      throw Self.waiting(wait)
    }
    return try await begin(
      .open(message.id), length: message.steps, needsFrames: message.needsFrames, needsPassive: message.needsPassive,
      calibrates: calibrates, of: caller)
  }

  /// Begins a performance that records a sequence of `length` steps, 3…12.
  ///
  /// - Parameter caller: one word for everybody behind an address; nil for who is not counted.
  public func record(length: Int?, calibrates: Bool = false, of caller: String? = nil) async throws -> Begun {
    let length = length ?? ExpressionSequence.standardLength
    guard ExpressionSequence.lengths.contains(length) else {
      throw ServiceError(.badValue, "\"steps\" must be 3 to 12.")
    }
    return try await begin(
      .record, length: length, needsFrames: false, needsPassive: false, calibrates: calibrates, of: caller)
  }

  /// Looks at one frame of a performance and says what comes next.
  public func look(
    at bytes: [UInt8], of id: SessionID, token: String?, client: String?, capturedAt: Interval?
  ) async throws -> PerformanceStep {
    let arrived = clock.now()
    try FrameLedger.requireNothingBehindImage(bytes)
    let performance = try await performance(id, token: token)
    let content = await FrameLedger.contentDigest(of: bytes)
    let entry = await ledger.enter(content, by: id)
    do {
      return try await answer(
        try await performance.look(
          at: EncodedFrame(bytes: bytes, at: arrived), content: content, entry: entry, client: client,
          capturedAt: capturedAt, with: observer), of: performance)
    } catch let error as ObserverError {
      throw CheckService<Observer>.mapped(error)
    }
  }

  /// Takes what a device says it saw, in the order given.
  public func claim(_ claims: [ClaimedObservation], of id: SessionID, token: String?, client: String?) async throws
    -> PerformanceStep
  {
    guard settings.allowsClaims else { throw ServiceError.messageClaimsNotAllowed }
    guard claims.count <= settings.maximumClaims else {
      throw ServiceError(
        .bodyTooLarge, "One request may bring \(settings.maximumClaims) observations; this one has \(claims.count).")
    }
    let performance = try await performance(id, token: token)
    return try await answer(
      try await performance.claim(claims, client: client, at: clock.now()), of: performance)
  }

  /// Forgets performances and texts whose time is over, and performances that nobody came to. Call it every second or so.
  public func sweep() async throws {
    let time = clock.timeOfDay()
    live = live.filter { time < $0.value.expires }
    room.forget(at: time)
    meter.performing(live.count, in: settings.space)
    _ = try await store.forgetPerformances(at: time, limit: 500)
    retention.note(.messages, try await store.expireMessages(at: time, limit: 200))
    let forgotten = time.adding(Interval(nanoseconds: -settings.remembrance.nanoseconds))
    _ = try await store.forgetMessages(expiredBefore: forgotten, limit: 200)
  }

  // MARK: - Inside

  /// The sequence that a wish names.
  private static func sequence(of names: [String]) throws -> ExpressionSequence {
    do {
      // No longer than the longest sequence there is, with one more to be refused for.
      let steps = names.prefix(ExpressionSequence.lengths.upperBound + 1).compactMap { FaceExpression(text: $0) }
      guard steps.count == min(names.count, ExpressionSequence.lengths.upperBound + 1) else {
        throw ServiceError(
          .badValue, "\"steps\" may name \(FaceExpression.allCases.map(\.text).joined(separator: ", ")) only.")
      }
      return try ExpressionSequence(steps)
    } catch let error as SequenceRefusal {
      throw ServiceError(.badValue, "\"steps\" is no sequence of expressions: \(error).")
    }
  }

  private func sheet(_ name: String) throws -> AvatarSheet {
    if let sheet = sheets[name] { return sheet }
    guard rack.names.contains(name), let sheet = try? rack.load(name) else {
      throw ServiceError(.unavailable, "The pictures of the avatar \"\(name)\" are missing on this server.")
    }
    sheets[name] = sheet
    return sheet
  }
}
