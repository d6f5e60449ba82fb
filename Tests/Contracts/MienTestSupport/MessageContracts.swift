internal import MienTestGenerators
internal import MienAvatars
internal import MienCore
internal import MienPlatform
public import MienMessageService
internal import MienVault
internal import Testing

private let born = UnixTime(milliseconds: 1_767_225_600_000)
private let dies = UnixTime(milliseconds: 1_767_225_700_000)

/// Returns a message for store tests, whose text cannot be decrypted.
private func sampleMessage(
  _ seed: UInt64, attempts: Int = 10, firstWait: Interval = UnlockPolicy.standardWait, views: Int? = nil,
  mode: MessageRecord.Mode = .open
) throws -> MessageRecord {
  var generator = SplitMixGenerator(seed: seed)
  let rules = try #require(
    UnlockPolicy(attempts: attempts, firstWait: firstWait, views: views, expires: dies.instant))
  let sealed: EncryptedText = try #require(
    EncryptedText(
      key: [UInt8](repeating: 7, count: 32), box: [UInt8](repeating: 9, count: 92),
      cost: .standard))
  return MessageRecord(
    id: MessageID(using: &generator), receipt: SecretDigest(of: "receipt \(seed)"), created: born, mode: mode,
    avatar: "fox", steps: 5, needsFrames: mode == .secret, needsPassive: mode == .secret,
    link: mode == .secret ? SecretDigest(of: "link \(seed)") : nil,
    lock: try #require(UnlockPolicyState(rules: rules)),
    sealed: sealed,
    hint: mode == .open ? [UInt8](repeating: 5, count: 41) : nil)
}

/// Conformance test for ``MessageStore``.
public func checkMessageStore(_ make: () async throws -> some MessageStore) async throws {
  let store = try await make()
  let plain = try sampleMessage(1)
  let secret = try sampleMessage(2, attempts: 3, firstWait: .seconds(60), views: 2, mode: .secret)
  #expect(try await store.message(plain.id) == nil)
  for message in [plain, secret] {
    try await store.save(message)
    #expect(try await store.message(message.id) == message, "all values are restored unchanged")
  }
  let twice = await #expect(throws: StoreError.self) { try await store.save(plain) }
  #expect(twice?.code == .duplicate)

  let unknown = try sampleMessage(3).id
  #expect(try await store.changeLock(of: unknown) { $0.count(at: born.instant) } == nil)

  let counted = try #require(try await store.changeLock(of: secret.id) { $0.count(at: born.instant) })
  guard case .counted(let attempt) = counted.outcome else {
    Issue.record("the first attempt was refused")
    return
  }
  #expect(attempt.number == 1 && attempt.left == 2)
  #expect(counted.message.sealed == secret.sealed && counted.message.lock.attempts == 1)
  #expect(try await store.message(secret.id) == counted.message, "counts are stored")
  for _ in 0..<2 { _ = try await store.changeLock(of: secret.id) { $0.count(at: born.instant) } }
  let waiting = try #require(try await store.message(secret.id))
  #expect(waiting.lock.lockedUntil == born.instant + .seconds(60), "the wait is stored")

  for left in [1, 0] {
    let opened = try await store.changeLock(of: secret.id) { $0.opened(by: attempt, at: born.instant) }
    #expect(opened?.outcome == .shown(viewsLeft: left))
  }
  let read = try #require(try await store.message(secret.id))
  #expect(read.lock.end == .read && read.sealed == nil, "the last view deletes the text")
  #expect(try await store.changeLock(of: secret.id) { $0.count(at: born.instant) }?.outcome == .refused(.over(.read)))
}

/// Conformance test for ``MessageStore``: concurrent attempts.
public func checkParallelAttempts(_ make: () async throws -> some MessageStore) async throws {
  let store = try await make()
  let plain = try sampleMessage(1)
  try await store.save(plain)
  let counts = try await withThrowingTaskGroup(of: Int?.self) { group in
    for _ in 0..<40 {
      group.addTask {
        let counted = try await store.changeLock(of: plain.id) { $0.count(at: born.instant) }
        guard case .counted(let attempt) = counted?.outcome else { return nil }
        return attempt.number
      }
    }
    return try await group.reduce(into: [Int]()) { numbers, number in if let number { numbers.append(number) } }
  }
  #expect(counts.sorted() == Array(1...10), "each attempt is acquired exactly once")
  let locked = try #require(try await store.message(plain.id))
  #expect(locked.lock.standing(at: born.instant) == .waiting(until: born.instant + UnlockPolicy.standardWait))
  #expect(locked.sealed == plain.sealed && locked.hint == plain.hint, "the encrypted text remains")
}

/// Conformance test for ``MessageStore``: expiration.
public func checkMessageExpiry(_ make: () async throws -> some MessageStore) async throws {
  let store = try await make()
  let (first, second, deleted) = (try sampleMessage(1), try sampleMessage(2), try sampleMessage(3, mode: .secret))
  for message in [first, second, deleted] { try await store.save(message) }
  let gone = try #require(try await store.changeLock(of: deleted.id) { $0.delete() })
  #expect(gone.message.lock.end == .deleted && gone.message.sealed == nil)

  let before = UnixTime(milliseconds: dies.milliseconds - 1)
  #expect(try await store.expireMessages(at: before, limit: 9) == 0)
  #expect(try await store.purgeMessages(expiredBefore: dies, limit: 9) == 0)
  #expect(try await store.expireMessages(at: dies, limit: 1) == 1)
  #expect(try await store.expireMessages(at: dies, limit: 9) == 1)
  #expect(try await store.expireMessages(at: dies, limit: 9) == 0)
  for message in [first, second] {
    let kept = try #require(try await store.message(message.id))
    #expect(kept.lock.end == .expired && kept.sealed == nil && kept.hint == nil)
  }
  #expect(try await store.message(deleted.id)?.lock.end == .deleted, "the first end counts")

  let after = UnixTime(milliseconds: dies.milliseconds + 1)
  #expect(try await store.purgeMessages(expiredBefore: after, limit: 2) == 2)
  #expect(try await store.purgeMessages(expiredBefore: after, limit: 9) == 1)
  #expect(try await store.message(first.id) == nil)
}
