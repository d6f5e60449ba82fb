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
  private let ledger = FrameLedger()
  private var sheets: [String: AvatarSheet] = [:]
  var dice: any RandomNumberGenerator & Sendable
  private var live: [SessionID: LivePerformance<Observer>] = [:]
  /// Those that came to their end and are only there to say so again.
  private var over: Set<SessionID> = []
  var buckets: [MessageAsking: TokenBuckets<String>]
  var picturesUnderWay = 0

  /// - Parameters:
  ///   - seal: half of every message's key; a database opens nothing without it.
  ///   - tokens: makes the performances' tokens.
  ///   - pictures: reads numbers and sheets out of pictures.
  public init(
    store: any MessageStore, observer: Observer, clock: any ServiceClock, settings: MessageSettings, seal: Seal,
    tokens: SessionTokens, avatars: AvatarRack, pictures: MessagePictures, dice: any RandomNumberGenerator & Sendable
  ) {
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

  /// Locks a message.
  ///
  /// - Returns: its state, and the receipt that deletes it, which is not kept.
  public func lock(_ wish: MessageWish) async throws -> (state: MessageState, receipt: String) {
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
    let sequence = try await sequence(of: wish)
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
    if case .recording(let recording, _) = wish.steps { live[recording] = nil }
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
  public func unlock(_ number: String, calibrates: Bool = false) async throws -> Begun {
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
      calibrates: calibrates)
  }

  /// Begins a performance that records a sequence of `length` steps, 3…12.
  public func record(length: Int?, calibrates: Bool = false) throws -> Begun {
    let length = length ?? ExpressionSequence.standardLength
    guard ExpressionSequence.lengths.contains(length) else {
      throw ServiceError(.badValue, "\"steps\" must be 3 to 12.")
    }
    return try begin(.record, length: length, needsFrames: false, needsPassive: false, calibrates: calibrates)
  }

  /// Looks at one frame of a performance and says what comes next.
  public func look(
    at bytes: [UInt8], of id: SessionID, token: String?, client: String?, capturedAt: Interval?
  ) async throws -> PerformanceStep {
    let arrived = clock.now()
    let performance = try performance(id, token: token)
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
    return try await answer(
      try await performance.claim(claims, client: client, at: clock.now()), of: performance)
  }

  /// Forgets performances and texts whose time is over. Call it every second or so.
  public func sweep() async throws {
    let time = clock.timeOfDay()
    live = live.filter { time < $0.value.expires }
    over = over.filter { live[$0] != nil }
    _ = try await store.expireMessages(at: time, limit: 200)
    let forgotten = time.adding(Interval(nanoseconds: -settings.remembrance.nanoseconds))
    _ = try await store.forgetMessages(expiredBefore: forgotten, limit: 200)
  }

  // MARK: - Inside

  private func begin(
    _ purpose: PerformancePurpose, length: Int, needsFrames: Bool, needsPassive: Bool, calibrates: Bool
  ) throws -> Begun {
    guard live.count < settings.maximumPerformances else {
      throw ServiceError(.busy, "\(live.count) performances are under way, the most this server takes. Try again.")
    }
    if let message = purpose.message,
      live.values.count(where: { $0.purpose.message == message && !over.contains($0.id) })
        >= settings.maximumPerformancesOfMessage
    {
      throw ServiceError(.busy, "As many performances of this message are under way as this server takes. Try again.")
    }
    guard let id = SessionID(Secrets.make(prefix: settings.space.performancePrefix, count: 22, using: &dice)) else {
      preconditionFailure("the alphabet of secrets is the alphabet of identifiers")
    }
    let secret = Secrets.make(prefix: "", count: 43, using: &dice)
    let now = clock.timeOfDay()
    let expires = now.adding(settings.lifetime)
    live[id] = LivePerformance<Observer>(
      id: id, token: SecretDigest(of: secret), expires: expires, deadline: clock.now() + settings.lifetime,
      purpose: purpose, length: length, needsFrames: needsFrames, needsPassive: needsPassive, calibrates: calibrates,
      tolerance: settings.clockTolerance, track: observer.newTrack())
    let token = tokens.make(for: id, secret: secret, created: now, expires: expires)
    return Begun(id: id, token: token, expires: expires, steps: length)
  }

  private func performance(_ id: SessionID, token: String?) throws -> LivePerformance<Observer> {
    guard let token else {
      throw ServiceError(.unauthorised, "This needs the performance's token: send it as \"Authorization: Bearer …\".")
    }
    guard let digest = tokens.secret(of: token, for: id).map({ SecretDigest(of: $0) }) else {
      throw ServiceError(.unauthorised, "The token does not belong to this performance.")
    }
    guard let performance = live[id], performance.token == digest else {
      throw ServiceError(.notFound, "There is no such performance; it is over, or the server was started anew.")
    }
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
    over.insert(performance.id)
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

  /// The sequence of a wish.
  private func sequence(of wish: MessageWish) async throws -> ExpressionSequence {
    switch wish.steps {
    case .names(let names):
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
    case .recording(let id, let token):
      let performance = try performance(id, token: token)
      guard let sequence = await performance.recording else {
        throw ServiceError(.badValue, "This recording is not complete.")
      }
      return sequence
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
