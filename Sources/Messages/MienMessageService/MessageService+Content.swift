public import MienPlatform
internal import MienSecurity
internal import MienAvatars
internal import MienExpressions
internal import MienCore
internal import MienVault

extension MessageService {
  /// Counts an attempt before trying it, and counts a view before returning the text.
  ///
  /// - Parameters:
  ///   - link: the secret part of the message's link; `nil` if it has none.
  ///   - caller: one key for all clients behind an address; `nil` for a client that is not counted.
  ///   - place: reserved place in the queue that derives the key.
  func attempt(
    _ sequence: ExpressionSequence, on id: MessageID, link: String?, of caller: String?, in place: DerivationQueue.Place
  ) async throws -> PerformanceStep.State {
    guard let caller, let waits else { return try await attempt(sequence, on: id, link: link, in: place) }
    let (client, now) = (waitDigest(of: caller, at: id), clock.timeOfDay())
    if let wait = try await store.changeWait(of: client, { waits.begin(&$0, at: now) }) {
      // Too early after a wrong attempt: nothing is tried or counted, not even the right sequence.
      return .refused(.waiting(until: now.adding(wait)))
    }
    let outcome = try await attempt(sequence, on: id, link: link, in: place)
    // The outcome is final: if the database fails now, the address has to wait unnecessarily.
    switch outcome {
    case .opened: try? await store.changeWait(of: client) { $0 = nil }
    case .refused:
      let then = clock.timeOfDay()
      try? await store.changeWait(of: client) { waits.retract(&$0, at: then) }
    default: break
    }
    return outcome
  }

  /// Returns the time until an address may try a message; `nil` if it may now.
  func remainingWait(of caller: String, at id: MessageID) async throws -> Interval? {
    guard let waits else { return nil }
    return waits.remaining(of: try await store.wait(of: waitDigest(of: caller, at: id)), at: clock.timeOfDay())
  }

  /// Returns the digest under which the wait of an address at a message is stored: with a key, since all addresses
  /// could be tried against a plain digest.
  private func waitDigest(of caller: String, at id: MessageID) -> SecretDigest {
    keyring.digest(of: "\(id.text)/\(caller)", column: "12:message_wait6:digest")
  }

  private func attempt(
    _ sequence: ExpressionSequence, on id: MessageID, link: String?, in place: DerivationQueue.Place
  ) async throws -> PerformanceStep.State {
    let now = clock.timeOfDay().instant
    guard let counted = try await store.changeLock(of: id, { $0.count(at: now) }) else { return .refused(.deleted) }
    let attempt: UnlockPolicyState.Attempt
    switch counted.outcome {
    case .refused(let standing): return .refused(MessageAvailability(standing))
    case .counted(let number): attempt = number
    }
    // From here on, the attempt is counted in the database, even if this process crashes.
    guard let sealed = counted.message.sealed else { return .refused(.deleted) }
    let vaults = vaults
    let text = await place.run { MessageCipher.open(sealed, with: sequence, link: link, as: id.text, by: vaults) }
    guard let text else { return .wrong(attemptsLeft: attempt.left) }
    let then = clock.timeOfDay().instant
    guard let opened = try await store.changeLock(of: id, { $0.opened(by: attempt, at: then) }) else {
      return .refused(.deleted)
    }
    switch opened.outcome {
    case .shown(let viewsLeft): return .opened(text: text.text, viewsLeft: viewsLeft)
    case .over(let end): return .refused(MessageAvailability(.over(end)))
    }
  }

  /// Returns a message if the receipt is its sender's.
  func message(_ number: String, of receipt: String?) async throws -> MessageRecord {
    guard let receipt else {
      throw ServiceError(.unauthorized, "This needs the sender's receipt: send it as \"Authorization: Bearer …\".")
    }
    let message = try await message(number)
    guard message.receipt == SecretDigest(of: receipt) else {
      throw ServiceError(.unauthorized, "The receipt does not belong to this message.")
    }
    return message
  }

  /// Returns the sequence that a message's GIF shows; `nil` if it only shows an idle animation.
  func shownSequence(of message: MessageRecord) throws -> ExpressionSequence? {
    let standing = MessageAvailability(message.lock.standing(at: clock.timeOfDay().instant))
    guard !standing.isOver else { throw Self.gone(standing) }
    guard let hint = message.hint else { return nil }
    guard let opened = keyring.open(hint, as: Self.hintLabel(message.id)),
      let sequence = try? ExpressionSequence(text: String(Self.unpadded(opened)))
    else {
      throw ServiceError(.unavailable, "This message was locked by another server, or the server's key was lost.")
    }
    return sequence
  }

  static func gifOptions(_ style: String?, _ labelSeconds: Double?) throws -> GIFOptions {
    guard let known = GIFOptions.Style(rawValue: style ?? GIFOptions.Style.classic.rawValue) else {
      throw ServiceError(.badValue, "\"style\" must be \"classic\" or \"smooth\".")
    }
    let seconds = labelSeconds ?? GIFOptions.labelSeconds.lowerBound
    guard let options = GIFOptions(style: known, labelSeconds: seconds) else {
      throw ServiceError(.badValue, "\"id_seconds\" must be 0.5 to 10.")
    }
    return options
  }

  static func gif(
    of message: MessageRecord, _ sequence: ExpressionSequence?, _ sheet: SpriteSheet, _ options: GIFOptions
  ) -> [UInt8] {
    sequence.map { sheet.animation(of: $0, code: message.id, options: options) }
      ?? sheet.idle(code: message.id, options: options)
  }

  func message(_ number: String) async throws -> MessageRecord {
    guard let id = MessageID(text: number) else {
      throw ServiceError(
        .badValue, "This is not a message number, which has 16 letters and digits; the last three are check characters."
      )
    }
    guard let message = try await store.message(id) else {
      throw ServiceError(.notFound, "There is no message with this number on this server.")
    }
    return message
  }

  func state(of message: MessageRecord, at now: UnixTime) -> MessageState {
    MessageState(
      number: message.id.text, mode: message.mode, avatar: message.avatar, steps: message.steps,
      needsFrames: message.needsFrames || !settings.allowsClaims, needsPassive: message.needsPassive,
      needsLink: message.link != nil, created: message.created,
      expires: UnixTime(message.lock.rules.expires),
      viewsLeft: message.lock.rules.views.map { max(0, $0 - message.lock.views) },
      standing: MessageAvailability(message.lock.standing(at: now.instant)))
  }

  func rules(of options: CreateMessageOptions, from now: UnixTime) throws -> UnlockPolicy {
    let life = options.expiresIn ?? settings.standardLife
    guard settings.lives.contains(life) else {
      throw ServiceError(
        .badValue, "\"expires_in\" must be \(settings.lives.lowerBound) to \(settings.lives.upperBound) seconds.")
    }
    let attempts = options.attempts ?? UnlockPolicy.standardAttempts
    guard UnlockPolicy.attemptRange.contains(attempts) else {
      throw ServiceError(.badValue, "\"attempts\" must be 1 to 100.")
    }
    guard options.views.map(UnlockPolicy.viewRange.contains) != false else {
      throw ServiceError(.badValue, "\"views\" must be 1 to 100, or be left out.")
    }
    let firstWait = options.firstWait.map { Interval.seconds(Double($0)) } ?? UnlockPolicy.standardWait
    let rules = UnlockPolicy(
      attempts: attempts, firstWait: firstWait, views: options.views,
      expires: now.adding(.seconds(Double(life))).instant)
    guard let rules else { throw ServiceError(.badValue, "\"first_wait\" must be 10 to 86400 seconds.") }
    return rules
  }

  func locked(until: UnixTime) -> ServiceError {
    let seconds = seconds(until: until)
    return ServiceError(
      .messageLocked, "The attempts at this message are used up. The next one is allowed in \(seconds) s.",
      retryAfter: seconds)
  }

  /// Returns the number of whole seconds until a time, at least one.
  public nonisolated func seconds(until time: UnixTime) -> Int {
    max(1, Int((time.milliseconds - clock.timeOfDay().milliseconds + 999) / 1000))
  }

  /// Returns the error for an attempt that comes too early after a wrong one from the same address.
  static func waiting(_ wait: Interval) -> ServiceError {
    let seconds = max(1, Int(wait.inSeconds.rounded(.up)))
    return ServiceError(
      .messageLocked, "The last attempt from this address was wrong. The next one is allowed in \(seconds) s.",
      retryAfter: seconds)
  }

  /// Throws if a sequence contains an expression that camera frames do not show reliably: its readers would lose their attempts.
  static func expectReliable(_ sequence: ExpressionSequence) throws {
    let reliable = ExpressionSource.tracker.reliable
    let others = FaceExpression.allCases.filter { sequence.steps.contains($0) && !reliable.contains($0) }
    guard !others.isEmpty else { return }
    let possible = FaceExpression.allCases.filter(reliable.contains).map(\.text).joined(separator: ", ")
    throw ServiceError(
      .badValue,
      "\(others.map(\.text).joined(separator: ", ")): not recognized reliably in camera frames. Use \(possible), or "
        + "send \"requires_frames\": false if this server allows claimed observations.")
  }

  static var linkRequired: ServiceError {
    ServiceError(
      .linkRequired,
      "Only the holder of the link that its sender shared can open this message. Send the part behind the number in "
        + "\"link_key\". Nothing was counted.")
  }

  static func gone(_ standing: MessageAvailability) -> ServiceError {
    let why =
      switch standing {
      case .read: "It was opened as often as its sender allowed."
      case .expired: "It has expired."
      default: "Its sender deleted it."
      }
    return ServiceError(.messageGone, "There is nothing to open any more. \(why)")
  }

  static func refused(_ refusal: MessageTextError) -> ServiceError {
    let why: String =
      switch refusal.code {
      case .empty: "it is empty, or has no visible characters"
      case .tooLong: "it is longer than \(MessageText.lengths.upperBound) characters"
      case .tooManyBytes: "it has more than \(MessageText.maximumBytes) bytes"
      default: "it has control characters"
      }
    return ServiceError(.badValue, "\"text\" is rejected: \(why).")
  }

  /// Returns the label that binds a hint to its message.
  static func hintLabel(_ id: MessageID) -> String { "message-hint/\(id.text)" }

  /// Pads a hint, so that all hints have the same length.
  static func padded(_ hint: [UInt8]) -> [UInt8] {
    hint + [UInt8](repeating: UInt8(ascii: " "), count: ExpressionSequence.longestText - hint.count)
  }

  static func unpadded(_ hint: [UInt8]) -> Substring {
    String(decoding: hint, as: UTF8.self).prefix { $0 != " " }
  }
}

extension MessageAvailability {
  init(_ standing: UnlockPolicyState.Standing) {
    self =
      switch standing {
      case .ready(let left): .ready(attemptsLeft: left)
      case .waiting(let until): .waiting(until: UnixTime(until))
      case .over(.read): .read
      case .over(.expired): .expired
      case .over(.deleted): .deleted
      }
  }
}
