internal import MienAvatars
internal import MienExpressions
public import MienModel
internal import MienVault

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
  let store: any MessageStore
  private nonisolated let observer: Observer
  nonisolated let clock: any ServiceClock
  nonisolated let seal: Seal
  /// One for each of the seal's keys that messages may be under, the newest first.
  nonisolated let vaults: [Vault]
  private nonisolated let tokens: SessionTokens
  private nonisolated let rack: AvatarRack
  nonisolated let pictures: MessagePictures
  private nonisolated let retention: RetentionBook
  private let ledger = FrameLedger()
  private var sheets: [String: AvatarSheet] = [:]
  var dice: any RandomNumberGenerator & Sendable
  private var live: [SessionID: LivePerformance<Observer>] = [:]
  /// Those that came to their end and are only there to say so again, the first that did so first.
  private var ended: [SessionID] = []
  /// Those before which nobody has been seen yet, and until when somebody must be.
  private var unseen: [SessionID: UnixTime] = [:]
  /// Recordings that a message is being locked with just now.
  private var locking: Set<SessionID> = []
  /// What recordings have locked: a reply that was lost on the way is given again, for as long as the recording is there.
  private var lockedBy: [SessionID: (wish: SecretDigest, reply: Locked)] = [:]
  var buckets: [MessageAsking: TokenBuckets<String>]
  var picturesUnderWay = 0

  /// - Parameters:
  ///   - seal: half of every message's key; a database opens nothing without it.
  ///   - tokens: makes the performances' tokens.
  ///   - pictures: reads numbers and sheets out of pictures.
  public init(
    store: any MessageStore, observer: Observer, clock: any ServiceClock, settings: MessageSettings, seal: Seal,
    tokens: SessionTokens, avatars: AvatarRack, pictures: MessagePictures, dice: any RandomNumberGenerator & Sendable,
    retention: RetentionBook = RetentionBook()
  ) {
    self.retention = retention
    vaults = seal.messageSecrets.map { secret in
      guard let vault = Vault(secret: secret) else { preconditionFailure("a seal's keys have 32 bytes") }
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
    buckets = Self.buckets(settings.locksPerHour)
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

  private func lock(_ wish: MessageWish, with recording: SessionID, token: String) async throws -> Locked {
    let performance = try performance(recording, token: token)
    let performed = await performance.recording
    // It may have been forgotten meanwhile, and what it has locked with it.
    guard live[recording] != nil else { throw Self.noPerformance }
    guard let sequence = performed else { throw ServiceError(.badValue, "This recording is not complete.") }
    if let locked = lockedBy[recording] {
      guard locked.wish == wish.digest else {
        throw ServiceError(.notFound, "This recording has locked another message, and locks one only. Record it again.")
      }
      return locked.reply
    }
    guard locking.insert(recording).inserted else {
      throw ServiceError(.busy, "A message is being locked with this recording. Try again in 1 s.", retryAfter: 1)
    }
    defer { locking.remove(recording) }
    let reply = try await lock(wish, under: sequence)
    if live[recording] != nil { lockedBy[recording] = (wish: wish.digest, reply: reply) }
    return reply
  }

  private func lock(_ wish: MessageWish, under sequence: ExpressionSequence) async throws -> Locked {
    let text: MessageText
    do { text = try MessageText(wish.text) } catch { throw Self.refused(error) }
    guard let mode = LockedMessage.Mode(rawValue: wish.mode) else {
      throw ServiceError(.badValue, "\"mode\" must be \"open\" or \"secret\".")
    }
    guard rack.names.contains(wish.avatar) else {
      throw ServiceError(.badValue, "\"avatar\" must be one of \(rack.names.joined(separator: ", ")).")
    }
    let now = clock.timeOfDay()
    let rules = try rules(of: wish, from: now)
    guard let lock = LockMachine(rules: rules) else { preconditionFailure("a new lock is one") }
    let id = settings.space.newNumber(using: &dice)
    let receipt = Secrets.make(prefix: "rcp_", count: 43, using: &dice)
    let hint = mode == .open ? Array(sequence.text.utf8) : nil
    let message = LockedMessage(
      id: id, receipt: SecretDigest(of: receipt), created: now, mode: mode, avatar: wish.avatar,
      steps: sequence.steps.count, needsFrames: wish.needsFrames || wish.needsPassive, needsPassive: wish.needsPassive,
      lock: lock,
      sealed: vaults[0].close(text, under: sequence, as: id.text, using: &dice),
      hint: hint.map { seal.close(Self.padded($0), as: Self.hintLabel(id), using: &dice) })
    try await store.keep(message)
    return (state(of: message, at: now), receipt)
  }

  /// What everybody may know of a message. Looking consumes nothing.
  public func state(of number: String) async throws -> MessageState {
    state(of: try await message(number), at: clock.timeOfDay())
  }

  /// The message's GIF, with its number in it: an open one shows the sequence, a secret one only idles.
  public func gif(of number: String) async throws -> [UInt8] {
    let message = try await message(number)
    let sequence = try shownSequence(of: message)
    return Self.gif(of: message, sequence, try sheet(message.avatar))
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
    return try begin(
      .open(message.id), length: message.steps, needsFrames: message.needsFrames, needsPassive: message.needsPassive,
      calibrates: calibrates, of: caller)
  }

  /// Begins a performance that records a sequence of `length` steps, 3…12.
  ///
  /// - Parameter caller: one word for everybody behind an address; nil for who is not counted.
  public func record(length: Int?, calibrates: Bool = false, of caller: String? = nil) throws -> Begun {
    let length = length ?? ExpressionSequence.standardLength
    guard ExpressionSequence.lengths.contains(length) else {
      throw ServiceError(.badValue, "\"steps\" must be 3 to 12.")
    }
    return try begin(
      .record, length: length, needsFrames: false, needsPassive: false, calibrates: calibrates, of: caller)
  }

  /// Looks at one frame of a performance and says what comes next.
  public func look(
    at bytes: [UInt8], of id: SessionID, token: String?, client: String?, capturedAt: Interval?
  ) async throws -> PerformanceStep {
    let arrived = clock.now()
    let performance = try performance(id, token: token)
    unseen[id] = nil
    let entry = await ledger.enter(FrameLedger.digest(of: bytes), by: id)
    do {
      return try await answer(
        try await performance.look(
          at: EncodedFrame(bytes: bytes, at: arrived), entry: entry, client: client, capturedAt: capturedAt,
          with: observer), of: performance)
    } catch let error as ObserverError {
      throw CheckService<Observer>.mapped(error)
    }
  }

  /// Takes what a device says it saw, in the order given.
  public func claim(_ claims: [ClaimedObservation], of id: SessionID, token: String?, client: String?) async throws
    -> PerformanceStep
  {
    guard claims.count <= settings.maximumClaims else {
      throw ServiceError(
        .bodyTooLarge, "One request may bring \(settings.maximumClaims) observations; this one has \(claims.count).")
    }
    let performance = try performance(id, token: token)
    unseen[id] = nil
    return try await answer(
      try await performance.claim(claims, client: client, at: clock.now()), of: performance)
  }

  /// Forgets performances and texts whose time is over, and performances that nobody came to. Call it every second or so.
  public func sweep() async throws {
    let time = clock.timeOfDay()
    live = live.filter { id, performance in
      time < performance.expires && unseen[id].map { time < $0 } != false
    }
    ended = ended.filter { live[$0] != nil }
    unseen = unseen.filter { live[$0.key] != nil }
    lockedBy = lockedBy.filter { live[$0.key] != nil }
    retention.note(.messages, try await store.expireMessages(at: time, limit: 200))
    let forgotten = time.adding(Interval(nanoseconds: -settings.remembrance.nanoseconds))
    _ = try await store.forgetMessages(expiredBefore: forgotten, limit: 200)
  }

  // MARK: - Inside

  private func begin(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, calibrates: Bool,
    of caller: String?
  ) throws -> Begun {
    try expectRoom(for: purpose, of: caller)
    guard let id = SessionID(Secrets.make(prefix: settings.space.performancePrefix, count: 22, using: &dice)) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let secret = Secrets.make(prefix: "", count: 43, using: &dice)
    let now = clock.timeOfDay()
    let expires = now.adding(settings.lifetime)
    live[id] = LivePerformance<Observer>(
      id: id, token: SecretDigest(of: secret), expires: expires, deadline: clock.now() + settings.lifetime,
      purpose: purpose, caller: caller, length: length, needsFrames: needsFrames, needsPassive: needsPassive,
      calibrates: calibrates, tolerance: settings.clockTolerance, track: observer.newTrack())
    unseen[id] = now.adding(settings.firstFrame)
    let token = tokens.make(for: id, secret: secret, created: now, expires: expires)
    return Begun(id: id, token: token, expires: expires, steps: length)
  }

  /// What this guards is memory: attempts are counted in the store, whoever makes them.
  private func expectRoom(for purpose: PerformancePurpose, of caller: String?) throws {
    guard live.count < settings.maximumPerformances || forgetsEnded(of: nil) else {
      throw ServiceError(
        .busy, "\(settings.maximumPerformances) performances are under way, the most this server takes. Try again.")
    }
    // One caller shall not take everybody's places, in the house or before a message.
    guard let caller else { return }
    let all = live.values.filter { $0.caller == caller }
    let isOver = Set(ended)
    let own = all.filter { !isOver.contains($0.id) }
    guard own.count < settings.maximumPerformancesOfCaller else {
      throw ServiceError(
        .busy, "\(own.count) performances are under way from this address, the most this server takes. Try again.")
    }
    guard all.count < 4 * settings.maximumPerformancesOfCaller || forgetsEnded(of: caller) else {
      throw ServiceError(
        .busy, "As many recordings from this address wait to lock a message as this server takes. Try again.")
    }
    guard let message = purpose.message,
      own.count(where: { $0.purpose.message == message }) >= settings.maximumPerformancesOfMessage
    else { return }
    throw ServiceError(
      .busy, "As many performances of this message are under way from this address as this server takes. Try again.")
  }

  /// Forgets the performance that has been over for longest, of a caller or of anybody; false when there is none. A recording
  /// that has not locked its message yet is not over.
  private func forgetsEnded(of caller: String?) -> Bool {
    let place = ended.firstIndex { id in
      guard let performance = live[id], caller == nil || performance.caller == caller else { return false }
      return performance.purpose.message != nil || lockedBy[id] != nil
    }
    guard let place else { return false }
    let id = ended.remove(at: place)
    live[id] = nil
    lockedBy[id] = nil
    return true
  }

  private static var noPerformance: ServiceError {
    ServiceError(
      .notFound,
      "There is no such performance; it is over, nobody came to it in time, or the server was started anew.")
  }

  private func performance(_ id: SessionID, token: String?) throws -> LivePerformance<Observer> {
    guard let token else {
      throw ServiceError(.unauthorised, "This needs the performance's token: send it as \"Authorization: Bearer …\".")
    }
    guard let digest = tokens.secret(of: token, for: id).map({ SecretDigest(of: $0) }) else {
      throw ServiceError(.unauthorised, "The token does not belong to this performance.")
    }
    guard let performance = live[id], performance.token == digest else { throw Self.noPerformance }
    guard clock.timeOfDay() < performance.expires else {
      throw ServiceError(
        .tokenExpired, "The time for this performance is over; nothing was counted. Begin another one.")
    }
    return performance
  }

  private func answer(_ progress: LivePerformance<Observer>.Progress, of performance: LivePerformance<Observer>)
    async throws -> PerformanceStep
  {
    guard case .complete(let sequence) = progress else {
      guard case .step(let step) = progress else { preconditionFailure("it is one or the other") }
      return step
    }
    // Whoever is told so may make room for others from then on.
    defer { ended.append(performance.id) }
    guard case .open(let id) = performance.purpose else { return await performance.end(.recorded, at: clock.now()) }
    guard await performance.isTrusted else { return await performance.end(.suspect, at: clock.now()) }
    do {
      return await performance.end(try await attempt(sequence, on: id), at: clock.now())
    } catch {
      // Whether it was counted is not known. It is not tried again by itself, which might count twice.
      live[performance.id] = nil
      throw error
    }
  }

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

extension PerformancePurpose {
  /// The message that it may open.
  var message: MessageCode? {
    if case .open(let id) = self { id } else { nil }
  }
}
