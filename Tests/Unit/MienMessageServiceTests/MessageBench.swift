import MienTestGenerators
import Foundation
import MienAvatars
import MienCore
import MienMessageService
import MienPlatform
import MienSecurity
import MienStore
import MienTestSupport
import MienVault
import Synchronization
import Testing

/// Real store with failures on request.
final class BrittleMessageStore: MessageStore, PerformanceStore, AttemptWaitStore {
  enum Break { case nothing, counting, opening }
  let store: SQLiteStore
  let next = Mutex(Break.nothing)
  /// Closure that runs once during the next save, and the error it returned.
  let meanwhile = Mutex<(@Sendable () async -> ServiceError?)?>(nil)
  let refused = Mutex<ServiceError?>(nil)
  private let changes = Mutex(0)

  init(_ store: SQLiteStore) { self.store = store }

  func save(_ message: MessageRecord) async throws {
    let work = meanwhile.withLock { work in
      defer { work = nil }
      return work
    }
    let error = await work?()
    if let error { refused.withLock { $0 = error } }
    try await store.save(message)
  }
  func message(_ id: MessageID) async throws -> MessageRecord? { try await store.message(id) }
  func messages(_ query: MessageListQuery, at now: UnixTime) async throws -> RecordPage<MessageRecord> {
    try await store.messages(query, at: now)
  }
  func changeLock<Outcome: Sendable>(
    of id: MessageID, _ change: @Sendable @escaping (inout UnlockPolicyState) -> Outcome
  ) async throws -> (outcome: Outcome, message: MessageRecord)? {
    // The attempt is counted first, and the message is opened second.
    let number = changes.withLock { count in
      count += 1
      return count
    }
    let fails = next.withLock { $0 == .counting && number % 2 == 1 || $0 == .opening && number % 2 == 0 }
    if fails { throw StoreError(.unavailable, reason: "told to fail") }
    return try await store.changeLock(of: id, change)
  }
  func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    try await store.expireMessages(at: time, limit: limit)
  }
  func purgeMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await store.purgeMessages(expiredBefore: time, limit: limit)
  }

  func wait(of digest: SecretDigest) async throws -> AttemptWait? { try await store.wait(of: digest) }
  func changeWait<Outcome: Sendable>(
    of digest: SecretDigest, _ change: @Sendable @escaping (inout AttemptWait?) -> Outcome
  ) async throws -> Outcome {
    try await store.changeWait(of: digest, change)
  }
  func purgeWaits(before earliest: UnixTime, after latest: UnixTime, limit: Int) async throws -> Int {
    try await store.purgeWaits(before: earliest, after: latest, limit: limit)
  }

  var isShared: Bool { store.isShared }
  func begin(_ performance: PerformanceSnapshot, at now: UnixTime) async throws {
    try await store.begin(performance, at: now)
  }
  func takePerformance(_ id: CheckID, at now: UnixTime) async throws -> PerformanceLease? {
    try await store.takePerformance(id, at: now)
  }
  func save(_ performances: [PerformanceSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await store.save(performances, at: now)
  }
  func letPerformancesGo() async throws { try await store.letPerformancesGo() }
  func purgePerformances(at time: UnixTime, limit: Int) async throws -> Int {
    try await store.purgePerformances(at: time, limit: limit)
  }
}

/// A message service on a store with failures on request, with a manual clock.
struct MessageBench {
  let clock: ManualClock
  let store: BrittleMessageStore
  let service: MessageService
  static let steps = ["smile", "wink_r", "smooch"]

  init(
    at path: String? = nil, clock: ManualClock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000)),
    seed: UInt64 = 1, _ adjust: (inout MessageSettings) -> Void = { _ in }
  ) throws {
    self.clock = clock
    let folder = FileManager.default.temporaryDirectory
    store = BrittleMessageStore(
      try SQLiteStore(path: path ?? folder.appendingPathComponent("mien-messages-\(UUID()).sqlite").path))
    var generator = SplitMixGenerator(seed: 1)
    var settings = MessageSettings.claiming
    adjust(&settings)
    service = MessageService(
      store: store, observer: ScriptedObserver(), clock: clock, settings: settings,
      keyring: try #require(MasterKeyring(key: MasterKeyring.makeKey(using: &generator))),
      tokens: SessionTokens(using: &generator),
      avatars: TextImages(), images: TextImages(), generator: SplitMixGenerator(seed: seed))
  }

  func lock(_ adjust: (inout CreateMessageOptions) -> Void = { _ in }) async throws -> MessageState {
    var options = CreateMessageOptions.claimed(text: "meet me at nine", steps: .names(Self.steps))
    adjust(&options)
    return try await service.lock(options).state
  }

  func state(_ message: MessageState) async throws -> MessageAvailability {
    try await service.state(of: message.number).standing
  }

  /// Performs as a device's own tracker and returns the last step.
  func attempt(_ message: MessageState, _ steps: [String] = steps) async throws -> PerformanceStep {
    let begun = try await service.unlock(message.number)
    return try await perform(steps, begun)
  }

  func perform(_ steps: [String], _ begun: MessageService.Begun) async throws -> PerformanceStep {
    try await service.perform(steps, begun, by: clock)
  }

  /// Performs with frames for the server's tracker, with a head that is `sway` eye distances to the side of its
  /// position.
  func performWithFrames(_ message: MessageState, sway: (Int) -> Float) async throws -> PerformanceStep {
    let begun = try await service.unlock(message.number)
    var last: PerformanceStep?
    for (place, name) in Self.steps.enumerated() {
      for frame in 0..<28 where last?.state.isFinal != true {
        let number = place * 28 + frame
        clock.advance(by: .milliseconds(number.isMultiple(of: 2) ? 37 : 45))
        let word = frame < 8 ? "rest" : name
        last = try await service.processFrame(
          at: ScriptedObserver.frame(expression: word, sway: sway(number), mark: "\(begun.id) \(number)"),
          of: begun.id, token: begun.token, client: "page", capturedAt: nil)
      }
    }
    return try #require(last)
  }
}
