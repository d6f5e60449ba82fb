import Foundation
import MienAvatars
import MienExpressions
import MienImaging
import MienCore
import MienPlatform
import MienSecurity
import MienMessageService
import MienStore
import MienTestSupport
import MienVault
import Synchronization
import Testing

/// Real store with failures on request.
private final class BrittleMessageStore: MessageStore, PerformanceStore {
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

private struct Bench {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let store: BrittleMessageStore
  let service: MessageService
  static let steps = ["smile", "surprise", "smooch"]

  init(at path: String? = nil, _ adjust: (inout MessageSettings) -> Void = { _ in }) throws {
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
      avatars: AvatarCache(names: ["bear"]) { _ in
        throw StoreError(.missing, reason: "these tests look at no pictures")
      },
      images: MessageImageDecoding { bytes in
        guard let number = MessageID(text: String(decoding: bytes, as: UTF8.self)) else { return .damaged }
        return .pixels(number)
      } sheet: { _ in
        throw ServiceError(.notAImage, "no sheet")
      }, generator: generator)
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
  func film(_ message: MessageState, sway: (Int) -> Float) async throws -> PerformanceStep {
    let begun = try await service.unlock(message.number)
    var last: PerformanceStep?
    for (place, name) in Self.steps.enumerated() {
      for frame in 0..<24 where last?.state.isFinal != true {
        let number = place * 24 + frame
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

@Suite struct `Message service` {
  private static let wrong = ["smooch", "surprise", "smile"]

  @Test func `the right sequence opens the message and a wrong one costs one attempt and is reported`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.views = 2 }
    let wrong = try await fixture.attempt(message, Self.wrong)
    #expect(wrong.state == .wrong(attemptsLeft: 9) && wrong.performed == Self.wrong && wrong.isClaimed)
    #expect(try await fixture.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 1))
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 9))
  }

  @Test func `an address is delayed from its first wrong attempt without affecting others`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.attempts = 3 }
    // Begun while the address may try: of all that end at once, one is tried.
    var begun: [MessageService.Begun] = []
    for _ in 0..<6 { begun.append(try await fixture.service.unlock(message.number, of: "a")) }
    var ends: [PerformanceStep.State] = []
    for one in begun.dropFirst() { _ = try await fixture.perform(["smooch", "surprise"], one) }
    ends.append(try await fixture.perform(Self.wrong, begun[0]).state)
    for one in begun.dropFirst() { ends.append(try await fixture.perform(["smile"], one).state) }
    #expect(ends.count { $0 == .wrong(attemptsLeft: 2) } == 1)
    #expect(
      ends.count {
        if case .refused(.waiting) = $0 { true } else { false }
      } == 5)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 2))
    let early = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.unlock(message.number, of: "a")
    }
    #expect(early?.code == .messageLocked && (1...5).contains(early?.retryAfter ?? 0))
    // Everybody else may go on, and so may the address at other messages, and here after its wait.
    let other = try await fixture.lock()
    _ = try await fixture.service.unlock(other.number, of: "a")
    #expect(
      try await fixture.perform(Bench.steps, fixture.service.unlock(message.number, of: "b")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    fixture.clock.advance(by: .seconds(6))
    #expect(
      try await fixture.perform(Bench.steps, fixture.service.unlock(message.number, of: "a")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    _ = try await fixture.service.unlock(message.number, of: "a")
  }

  @Test func `attempts are restored over time so that strangers cannot lock a message permanently`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock {
      $0.attempts = 2
      $0.expiresIn = 30 * 86_400
    }
    for address in 0..<12 {
      let begun = try? await fixture.service.unlock(message.number, of: "\(address)")
      if let begun { _ = try await fixture.perform(Self.wrong, begun) }
      fixture.clock.advance(by: .seconds(3600))
    }
    if case .waiting(let until) = try await fixture.state(message) {
      let left = until.milliseconds - fixture.clock.timeOfDay().milliseconds
      #expect(left <= 86_400_000)
      fixture.clock.advance(by: .milliseconds(Double(left)))
    }
    #expect(try await fixture.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: nil))
  }

  @Test func `client observations open a message only if its sender and the server allow them`() async throws {
    for (isAllowed, isWanted) in [(false, false), (false, true), (true, false)] {
      let fixture = try Bench { $0.allowsClaims = isAllowed }
      if isWanted {
        let refused = await #expect(throws: ServiceError.self) { _ = try await fixture.lock { $0.needsFrames = false } }
        #expect(refused?.code == .sourceNotAllowed)
        continue
      }
      let message = try await fixture.lock { $0.needsFrames = true }
      #expect(message.needsFrames)
      let refused = await #expect(throws: ServiceError.self) { _ = try await fixture.attempt(message) }
      #expect(refused?.code == .sourceNotAllowed)
      #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
      #expect(try await fixture.film(message) { _ in 0 }.state == .opened(text: "meet me at nine", viewsLeft: nil))
    }
    // The server's word counts when the claims come, whatever was locked before.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-claims-\(UUID()).sqlite").path
    let before = try Bench(at: path)
    let message = try await before.lock()
    #expect(!message.needsFrames)
    let after = try Bench(at: path) { $0.allowsClaims = false }
    #expect(try await after.service.state(of: message.number).needsFrames)
    let refused = await #expect(throws: ServiceError.self) { _ = try await after.attempt(message) }
    #expect(refused?.code == .sourceNotAllowed)
  }

  @Test func `a store that cannot count rejects every attempt`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock()
    fixture.store.next.withLock { $0 = .counting }
    let error = await #expect(throws: StoreError.self) { _ = try await fixture.attempt(message) }
    #expect(error?.code == .unavailable)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `a store failure after counting returns no text and keeps the count`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.views = 1 }
    fixture.store.next.withLock { $0 = .opening }
    _ = await #expect(throws: StoreError.self) { _ = try await fixture.attempt(message) }
    fixture.store.next.withLock { $0 = .nothing }
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 9))
    #expect(try await fixture.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 0))
    #expect(try await fixture.state(message) == .read)
  }

  @Test func `an expired message stays expired before and after cleanup`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.expiresIn = 60 }
    let begun = try await fixture.service.unlock(message.number)
    fixture.clock.advance(by: .seconds(59))
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
    let late = try await fixture.perform(Bench.steps, begun)
    #expect(late.state == .refused(.expired) && late.state.code == "expired")
    try await fixture.service.expireAndPurge()
    // The clock is set back: the expiration remains.
    fixture.clock.advance(by: .seconds(-30))
    #expect(try await fixture.state(message) == .expired)
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.service.unlock(message.number) }
    #expect(error?.code == .messageGone)
  }

  @Test func `cleanup deletes the text of expired messages and later their IDs`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.expiresIn = 60 }
    let id = try #require(MessageID(text: message.number))
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.store.message(id)?.sealed != nil)
    try await fixture.service.expireAndPurge()
    #expect(try await fixture.store.message(id)?.sealed == nil)
    fixture.clock.advance(by: .seconds(31 * 86_400))
    try await fixture.service.expireAndPurge()
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.service.state(of: message.number) }
    #expect(error?.code == .notFound)
  }

  @Test func `a performance times out without cost`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock()
    let begun = try await fixture.service.unlock(message.number)
    _ = try await fixture.perform(["smile"], begun)
    fixture.clock.advance(by: .seconds(180))
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(Bench.steps, begun) }
    #expect(error?.code == .tokenExpired)
    try await fixture.service.expireAndPurge()
    let gone = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(Bench.steps, begun) }
    #expect(gone?.code == .notFound)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `the final step can be repeated without counting twice`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.views = 1 }
    let begun = try await fixture.service.unlock(message.number)
    for _ in 0..<3 {
      #expect(try await fixture.perform(Bench.steps, begun).state == .opened(text: "meet me at nine", viewsLeft: 0))
    }
    let other = try await fixture.lock()
    let failed = try await fixture.service.unlock(other.number)
    for _ in 0..<3 { #expect(try await fixture.perform(Self.wrong, failed).state == .wrong(attemptsLeft: 9)) }
    #expect(try await fixture.state(other) == .ready(attemptsLeft: 9))
  }

  @Test func `a recording locks one message and a repeated request gets the same response`() async throws {
    let fixture = try Bench()
    let begun = try await fixture.service.record(length: 3)
    #expect(try await fixture.perform(Bench.steps, begun).state == .recorded)
    let options = CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    var other = options
    other.views = 1
    let another = other
    // A request during the first one locks nothing.
    let service = fixture.service
    let second: @Sendable () async -> ServiceError? = {
      await #expect(throws: ServiceError.self) { _ = try await service.lock(options) }
    }
    fixture.store.meanwhile.withLock { $0 = second }
    let first = try await fixture.service.lock(options)
    let busy = fixture.store.refused.withLock { $0 }
    #expect(busy?.code == .busy && busy?.retryAfter == 1)
    let again = try await fixture.service.lock(options)
    #expect(again.state.number == first.state.number && again.receipt == first.receipt)
    let refused = await #expect(throws: ServiceError.self) { _ = try await fixture.service.lock(another) }
    #expect(refused?.code == .notFound)
    try await fixture.service.delete(first.state.number, receipt: again.receipt)
    // The receipt is stored no longer than the recording.
    fixture.clock.advance(by: .seconds(180))
    try await fixture.service.expireAndPurge()
    let over = await #expect(throws: ServiceError.self) { _ = try await fixture.service.lock(options) }
    #expect(over?.code == .notFound)
  }

  @Test func `a rejected request leaves its recording usable`() async throws {
    let fixture = try Bench()
    let begun = try await fixture.service.record(length: 3)
    _ = try await fixture.perform(Bench.steps, begun)
    let empty = CreateMessageOptions.claimed(text: "", steps: .recording(begun.id, token: begun.token))
    let refused = await #expect(throws: ServiceError.self) { _ = try await fixture.service.lock(empty) }
    #expect(refused?.code == .badValue)
    let message = try await fixture.service.lock(
      CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    ).state
    #expect(try await fixture.attempt(message).state == .opened(text: "hi", viewsLeft: nil))
  }

  @Test func `an unfinished performance does not block others from a message`() async throws {
    let fixture = try Bench { $0.maximumPerformancesOfCaller = 20 }
    let (message, other) = (try await fixture.lock(), try await fixture.lock())
    let (come, idle) = (
      try await fixture.service.unlock(message.number, of: "a"),
      try await fixture.service.unlock(message.number, of: "a")
    )
    for _ in 0..<14 { _ = try await fixture.service.unlock(message.number, of: "a") }
    let full = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.unlock(message.number, of: "a")
    }
    #expect(full?.code == .busy)
    _ = try await fixture.service.unlock(message.number, of: "b")
    _ = try await fixture.service.unlock(message.number)
    // Other messages do not raise the client's limit either.
    for _ in 0..<3 { _ = try await fixture.service.unlock(other.number, of: "a") }
    _ = try await fixture.service.record(length: 3, of: "a")
    let many = await #expect(throws: ServiceError.self) { _ = try await fixture.service.unlock(other.number, of: "a") }
    #expect(many?.code == .busy)
    // After half a minute, only unused performances are deleted.
    _ = try await fixture.perform(["smile"], come)
    fixture.clock.advance(by: .seconds(30))
    try await fixture.service.expireAndPurge()
    for _ in 0..<15 { _ = try await fixture.service.unlock(message.number, of: "a") }
    _ = await #expect(throws: ServiceError.self) { _ = try await fixture.service.unlock(message.number, of: "a") }
    #expect(try await fixture.perform(["surprise"], come).performed == ["smile", "surprise"])
    let gone = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(Bench.steps, idle) }
    #expect(gone?.code == .notFound)
  }

  @Test(arguments: [true, false])
  func `finished performances free their places and remain readable`(isCounted: Bool) async throws {
    let fixture = try Bench {
      if isCounted { $0.maximumPerformancesOfCaller = 2 } else { $0.maximumPerformances = 8 }
      $0.firstAttemptWait = nil
    }
    let caller = isCounted ? "a" : nil
    let message = try await fixture.lock { $0.attempts = 100 }
    let recording = try await fixture.service.record(length: 3, of: caller)
    #expect(try await fixture.perform(Bench.steps, recording).state == .recorded)
    let underWay = try await fixture.service.unlock(message.number, of: caller)
    _ = try await fixture.perform(["smile"], underWay)
    var over: [MessageService.Begun] = []
    for _ in 0..<20 {
      let begun = try await fixture.service.unlock(message.number, of: caller)
      guard case .wrong = try await fixture.perform(Bench.steps.reversed(), begun).state else {
        Issue.record("A wrong sequence opens nothing.")
        return
      }
      over.append(begun)
    }
    for (number, begun) in over.enumerated() {
      #expect(try await fixture.perform(["smile"], begun).state == .wrong(attemptsLeft: 99 - number))
    }
    #expect(try await fixture.perform(["surprise"], underWay).performed == ["smile", "surprise"])
    let options = CreateMessageOptions.claimed(text: "hi", steps: .recording(recording.id, token: recording.token))
    let locked = try await fixture.service.lock(options)
    // The limit is reached, and the recording no longer counts.
    for _ in 0..<8 { _ = try? await fixture.service.unlock(message.number, of: caller) }
    let full = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.unlock(message.number, of: caller)
    }
    #expect(full?.code == .busy)
    #expect(try await fixture.service.lock(options).receipt == locked.receipt)
  }

  @Test func `the number of unused recordings is limited`() async throws {
    let fixture = try Bench { $0.maximumPerformancesOfCaller = 2 }
    var waiting: [MessageService.Begun] = []
    for _ in 0..<8 {
      let begun = try await fixture.service.record(length: 3, of: "a")
      #expect(try await fixture.perform(Bench.steps, begun).state == .recorded)
      waiting.append(begun)
    }
    let full = await #expect(throws: ServiceError.self) { _ = try await fixture.service.record(length: 3, of: "a") }
    #expect(full?.code == .busy)
    _ = try await fixture.service.record(length: 3, of: "b")
    _ = try await fixture.service.lock(
      CreateMessageOptions.claimed(text: "hi", steps: .recording(waiting[0].id, token: waiting[0].token)))
    _ = try await fixture.service.record(length: 3, of: "a")
  }

  @Test func `frames are processed by the server's tracker and not mixed with client observations`() async throws {
    let fixture = try Bench()
    let begun = try await fixture.service.unlock(try await fixture.lock().number)
    let step = try await fixture.service.processFrame(
      at: ScriptedObserver.frame(yaw: 0, faces: 0, mark: 1), of: begun.id, token: begun.token, client: "page",
      capturedAt: nil)
    #expect(step.state == .performing && !step.isClaimed && step.face == "no-face")
    let mixed = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.claim(
        [ClientObservation(at: .zero, faceCount: 0, box: nil, pose: nil, blendshapes: nil)], of: begun.id,
        token: begun.token, client: "page")
    }
    #expect(mixed?.code == .mixedSources)
    let broken = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.processFrame(
        at: Array("no script".utf8), of: begun.id, token: begun.token, client: "page", capturedAt: nil)
    }
    #expect(broken?.code == .notAImage)
    let face = ScriptedObserver.frame(yaw: 0, mark: 2)
    _ = try await fixture.service.processFrame(
      at: face, of: begun.id, token: begun.token, client: "page", capturedAt: nil)
    let other = try await fixture.service.unlock(try await fixture.lock().number)
    let covered = try await fixture.service.processFrame(
      at: ScriptedObserver.frame(yaw: 0, faces: 0, mark: 1), of: other.id, token: other.token, client: "page",
      capturedAt: nil)
    #expect(covered.face == "no-face", "images without a face are no evidence and may be anybody's")
    let replayed = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.processFrame(
        at: face, of: other.id, token: other.token, client: "page", capturedAt: nil)
    }
    #expect(replayed?.code == .frameReplayed)
  }

  @Test func `a client over the rate limit waits for the reported delay without affecting others`() async throws {
    let fixture = try Bench { $0.locksPerHour = 3600 }
    for _ in 0..<120 { try await fixture.service.admit(.lock, of: "a") }
    let error = await #expect(throws: ServiceError.self) { try await fixture.service.admit(.lock, of: "a") }
    #expect(error?.code == .tooManyRequests && error?.retryAfter == 1)
    try await fixture.service.admit(.lock, of: "b")
    try await fixture.service.admit(.image, of: "a")
    fixture.clock.advance(by: .seconds(1))
    try await fixture.service.admit(.lock, of: "a")
    _ = await #expect(throws: ServiceError.self) { try await fixture.service.admit(.lock, of: "a") }
    // Neither many other clients nor a clock set back resets the limit of a recent client.
    for stranger in 0..<500 { try await fixture.service.admit(.lock, of: "\(stranger)") }
    fixture.clock.advance(by: .seconds(-3600))
    _ = await #expect(throws: ServiceError.self) { try await fixture.service.admit(.lock, of: "a") }
  }

  @Test func `a missing rate limit is unlimited`() async throws {
    let fixture = try Bench { $0.locksPerHour = 0 }
    for _ in 0..<500 { try await fixture.service.admit(.lock, of: "a") }
  }

  @Test func `a message ID in an image is read without a lookup`() async throws {
    let fixture = try Bench()
    let found = try await fixture.service.number(in: Array("0123-4567-89AB-CTVX".utf8))
    #expect(found.found == .pixels && found.text == "0123-4567-89AB-CTVX")
    let damaged = try await fixture.service.number(in: Array("0123-4567-89AB-CTVZ".utf8))
    #expect(damaged.found == .damaged && damaged.text == nil)
  }

  @Test func `sandbox message IDs are distinguished by their prefix`() async throws {
    let live = try await Bench().lock()
    let trial = try await Bench { $0.space = .sandbox }.lock()
    #expect(trial.number.hasPrefix("ZZZZ-") && !live.number.hasPrefix("ZZZZ-"))
    #expect(Realm(ofMessage: trial.number.lowercased()) == .sandbox && Realm(ofMessage: live.number) == .live)
    #expect(Realm(ofMessage: "ZZZZ") == .live)
  }

  @Test func `frames rejected by passive signals neither try nor count`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock { $0.needsPassive = true }
    #expect(message.needsFrames && message.needsPassive)
    // A photo on a stand with changing expressions: its landmarks never move.
    let still = try await fixture.film(message) { _ in 0 }
    #expect(still.state == .suspect && still.performed == Bench.steps && !still.isClaimed)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
    // A head that leans slowly to one side and never returns.
    let moving = try await fixture.film(message) { Float($0) * 0.02 }
    #expect(moving.state == .opened(text: "meet me at nine", viewsLeft: nil))
    // Without the option, the previous behavior applies.
    let trusting = try await fixture.lock()
    #expect(try await fixture.film(trusting) { _ in 0 }.state == .opened(text: "meet me at nine", viewsLeft: nil))
  }

  @Test func `printing reveals no text or sequence`() async throws {
    let fixture = try Bench()
    let message = try await fixture.lock()
    let step = try await fixture.attempt(message)
    let id = try #require(MessageID(text: message.number))
    let kept = try #require(try await fixture.store.message(id))
    for value in [step as Any, kept] {
      var dumped = ""
      dump(value, to: &dumped)
      for printed in [String(describing: value), String(reflecting: value), dumped] {
        #expect(printed.contains("withheld") && !printed.contains("nine") && !printed.contains("smile"))
      }
    }
  }
}
