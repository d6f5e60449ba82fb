import Foundation
import MienAvatars
import MienExpressions
import MienImaging
import MienModel
import MienService
import MienStoreSQLite
import MienTestSupport
import MienVault
import Synchronization
import Testing

/// A store that fails when it is told to, and otherwise keeps in a real one.
private final class BrittleMessageStore: MessageStore, PerformanceStore {
  enum Break { case nothing, counting, opening }
  let store: SQLiteStore
  let next = Mutex(Break.nothing)
  /// What happens once while a message is being kept, and how it was refused.
  let meanwhile = Mutex<(@Sendable () async -> ServiceError?)?>(nil)
  let refused = Mutex<ServiceError?>(nil)
  private let changes = Mutex(0)

  init(_ store: SQLiteStore) { self.store = store }

  func keep(_ message: LockedMessage) async throws {
    let work = meanwhile.withLock { work in
      defer { work = nil }
      return work
    }
    let error = await work?()
    if let error { refused.withLock { $0 = error } }
    try await store.keep(message)
  }
  func message(_ id: MessageCode) async throws -> LockedMessage? { try await store.message(id) }
  func changeLock<Outcome: Sendable>(
    of id: MessageCode, _ change: @Sendable @escaping (inout LockMachine) -> Outcome
  ) async throws -> (outcome: Outcome, message: LockedMessage)? {
    // Counting comes first, opening second.
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
  func forgetMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await store.forgetMessages(expiredBefore: time, limit: limit)
  }

  var isShared: Bool { store.isShared }
  func begin(_ performance: KeptPerformance, at now: UnixTime) async throws {
    try await store.begin(performance, at: now)
  }
  func takePerformance(_ id: SessionID, at now: UnixTime) async throws -> TakenPerformance? {
    try await store.takePerformance(id, at: now)
  }
  func keep(_ performances: [KeptPerformance], at now: UnixTime) async throws -> Set<SessionID> {
    try await store.keep(performances, at: now)
  }
  func letPerformancesGo() async throws { try await store.letPerformancesGo() }
  func forgetPerformances(at time: UnixTime, limit: Int) async throws -> Int {
    try await store.forgetPerformances(at: time, limit: limit)
  }
}

private struct Bench {
  let clock = ManualClock(at: Instant(nanoseconds: 1_000_000_000))
  let store: BrittleMessageStore
  let service: MessageService<ScriptedObserver>
  static let steps = ["smile", "surprise", "smooch"]

  init(at path: String? = nil, _ adjust: (inout MessageSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory
    store = BrittleMessageStore(
      try SQLiteStore(path: path ?? folder.appendingPathComponent("mien-messages-\(UUID()).sqlite").path))
    var dice = SplitMix(seed: 1)
    var settings = MessageSettings.claiming
    adjust(&settings)
    service = MessageService(
      store: store, observer: ScriptedObserver(), clock: clock, settings: settings,
      seal: try #require(Seal(key: Seal.makeKey(using: &dice))), tokens: SessionTokens(using: &dice),
      avatars: AvatarRack(names: ["bear"]) { _ in
        throw StoreError(.missing, reason: "these tests look at no pictures")
      },
      pictures: MessagePictures { bytes in
        guard let number = MessageCode(text: String(decoding: bytes, as: UTF8.self)) else { return .damaged }
        return .pixels(number)
      } sheet: { _ in
        throw ServiceError(.notAPicture, "no sheet")
      }, dice: dice)
  }

  func lock(_ adjust: (inout MessageWish) -> Void = { _ in }) async throws -> MessageState {
    var wish = MessageWish.claimed(text: "meet me at nine", steps: .names(Self.steps))
    adjust(&wish)
    return try await service.lock(wish).state
  }

  func state(_ message: MessageState) async throws -> MessageStanding {
    try await service.state(of: message.number).standing
  }

  /// Performs in front of a device's own tracker; returns the last step.
  func attempt(_ message: MessageState, _ steps: [String] = steps) async throws -> PerformanceStep {
    let begun = try await service.unlock(message.number)
    return try await perform(steps, begun)
  }

  func perform(_ steps: [String], _ begun: MessageService<ScriptedObserver>.Begun) async throws -> PerformanceStep {
    try await service.perform(steps, begun, by: clock)
  }

  /// Performs before the server's own tracker with a head that is `sway` eye distances to the side of its place.
  func film(_ message: MessageState, sway: (Int) -> Float) async throws -> PerformanceStep {
    let begun = try await service.unlock(message.number)
    var last: PerformanceStep?
    for (place, name) in Self.steps.enumerated() {
      for frame in 0..<24 where last?.state.isFinal != true {
        let number = place * 24 + frame
        clock.advance(by: .milliseconds(number.isMultiple(of: 2) ? 37 : 45))
        let word = frame < 8 ? "rest" : name
        last = try await service.look(
          at: ScriptedObserver.frame(expression: word, sway: sway(number), mark: "\(begun.id) \(number)"),
          of: begun.id, token: begun.token, client: "page", capturedAt: nil)
      }
    }
    return try #require(last)
  }
}

@Suite struct `The message service` {
  private static let wrong = ["smooch", "surprise", "smile"]

  @Test func `the right sequence opens, a wrong one costs one attempt and says what was performed`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.views = 2 }
    let wrong = try await bench.attempt(message, Self.wrong)
    #expect(wrong.state == .wrong(attemptsLeft: 9) && wrong.performed == Self.wrong && wrong.isClaimed)
    #expect(try await bench.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 1))
    #expect(try await bench.state(message) == .ready(attemptsLeft: 9))
  }

  @Test func `an address waits from its first wrong attempt, and uses up nobody else's`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.attempts = 3 }
    // Begun while the address may try: of all that end at once, one is tried.
    var begun: [MessageService<ScriptedObserver>.Begun] = []
    for _ in 0..<6 { begun.append(try await bench.service.unlock(message.number, of: "a")) }
    var ends: [PerformanceStep.State] = []
    for one in begun.dropFirst() { _ = try await bench.perform(["smooch", "surprise"], one) }
    ends.append(try await bench.perform(Self.wrong, begun[0]).state)
    for one in begun.dropFirst() { ends.append(try await bench.perform(["smile"], one).state) }
    #expect(ends.count { $0 == .wrong(attemptsLeft: 2) } == 1)
    #expect(
      ends.count {
        if case .refused(.waiting) = $0 { true } else { false }
      } == 5)
    #expect(try await bench.state(message) == .ready(attemptsLeft: 2))
    let early = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.unlock(message.number, of: "a")
    }
    #expect(early?.code == .messageLocked && (1...5).contains(early?.retryAfter ?? 0))
    // Everybody else may go on, and so may the address at other messages, and here after its wait.
    let other = try await bench.lock()
    _ = try await bench.service.unlock(other.number, of: "a")
    #expect(
      try await bench.perform(Bench.steps, bench.service.unlock(message.number, of: "b")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    bench.clock.advance(by: .seconds(6))
    #expect(
      try await bench.perform(Bench.steps, bench.service.unlock(message.number, of: "a")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    _ = try await bench.service.unlock(message.number, of: "a")
  }

  @Test func `attempts that are used up come back, and no stranger locks a message for good`() async throws {
    let bench = try Bench()
    let message = try await bench.lock {
      $0.attempts = 2
      $0.expiresIn = 30 * 86_400
    }
    for address in 0..<12 {
      let begun = try? await bench.service.unlock(message.number, of: "\(address)")
      if let begun { _ = try await bench.perform(Self.wrong, begun) }
      bench.clock.advance(by: .seconds(3600))
    }
    if case .waiting(let until) = try await bench.state(message) {
      let left = until.milliseconds - bench.clock.timeOfDay().milliseconds
      #expect(left <= 86_400_000)
      bench.clock.advance(by: .milliseconds(Double(left)))
    }
    #expect(try await bench.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: nil))
  }

  @Test func `claims open a message only where its sender and the server let them`() async throws {
    for (isAllowed, isWanted) in [(false, false), (false, true), (true, false)] {
      let bench = try Bench { $0.allowsClaims = isAllowed }
      if isWanted {
        let refused = await #expect(throws: ServiceError.self) { _ = try await bench.lock { $0.needsFrames = false } }
        #expect(refused?.code == .sourceNotAllowed)
        continue
      }
      let message = try await bench.lock { $0.needsFrames = true }
      #expect(message.needsFrames)
      let refused = await #expect(throws: ServiceError.self) { _ = try await bench.attempt(message) }
      #expect(refused?.code == .sourceNotAllowed)
      #expect(try await bench.state(message) == .ready(attemptsLeft: 10))
      #expect(try await bench.film(message) { _ in 0 }.state == .opened(text: "meet me at nine", viewsLeft: nil))
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

  @Test func `a store that cannot count lets nobody try`() async throws {
    let bench = try Bench()
    let message = try await bench.lock()
    bench.store.next.withLock { $0 = .counting }
    let error = await #expect(throws: StoreError.self) { _ = try await bench.attempt(message) }
    #expect(error?.code == .unavailable)
    #expect(try await bench.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `a store that fails after counting shows no text, and the count stands`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.views = 1 }
    bench.store.next.withLock { $0 = .opening }
    _ = await #expect(throws: StoreError.self) { _ = try await bench.attempt(message) }
    bench.store.next.withLock { $0 = .nothing }
    #expect(try await bench.state(message) == .ready(attemptsLeft: 9))
    #expect(try await bench.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 0))
    #expect(try await bench.state(message) == .read)
  }

  @Test func `after its time a message is over, noticed by the sweep or not, and stays so`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.expiresIn = 60 }
    let begun = try await bench.service.unlock(message.number)
    bench.clock.advance(by: .seconds(59))
    #expect(try await bench.state(message) == .ready(attemptsLeft: 10))
    let late = try await bench.perform(Bench.steps, begun)
    #expect(late.state == .refused(.expired) && late.state.code == "expired")
    try await bench.service.sweep()
    // The clock is put back: what was noticed stays.
    bench.clock.advance(by: .seconds(-30))
    #expect(try await bench.state(message) == .expired)
    let error = await #expect(throws: ServiceError.self) { _ = try await bench.service.unlock(message.number) }
    #expect(error?.code == .messageGone)
  }

  @Test func `the sweep erases the text of what is over and later the number`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.expiresIn = 60 }
    let id = try #require(MessageCode(text: message.number))
    bench.clock.advance(by: .seconds(60))
    #expect(try await bench.store.message(id)?.sealed != nil)
    try await bench.service.sweep()
    #expect(try await bench.store.message(id)?.sealed == nil)
    bench.clock.advance(by: .seconds(31 * 86_400))
    try await bench.service.sweep()
    let error = await #expect(throws: ServiceError.self) { _ = try await bench.service.state(of: message.number) }
    #expect(error?.code == .notFound)
  }

  @Test func `a performance ends with its time and costs nothing`() async throws {
    let bench = try Bench()
    let message = try await bench.lock()
    let begun = try await bench.service.unlock(message.number)
    _ = try await bench.perform(["smile"], begun)
    bench.clock.advance(by: .seconds(180))
    let error = await #expect(throws: ServiceError.self) { _ = try await bench.perform(Bench.steps, begun) }
    #expect(error?.code == .tokenExpired)
    try await bench.service.sweep()
    let gone = await #expect(throws: ServiceError.self) { _ = try await bench.perform(Bench.steps, begun) }
    #expect(gone?.code == .notFound)
    #expect(try await bench.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `the final step is said again and nothing is counted twice`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.views = 1 }
    let begun = try await bench.service.unlock(message.number)
    for _ in 0..<3 {
      #expect(try await bench.perform(Bench.steps, begun).state == .opened(text: "meet me at nine", viewsLeft: 0))
    }
    let other = try await bench.lock()
    let failed = try await bench.service.unlock(other.number)
    for _ in 0..<3 { #expect(try await bench.perform(Self.wrong, failed).state == .wrong(attemptsLeft: 9)) }
    #expect(try await bench.state(other) == .ready(attemptsLeft: 9))
  }

  @Test func `a recording locks one message, and who asks for the same again gets the same reply`() async throws {
    let bench = try Bench()
    let begun = try await bench.service.record(length: 3)
    #expect(try await bench.perform(Bench.steps, begun).state == .recorded)
    let wish = MessageWish.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    var other = wish
    other.views = 1
    let another = other
    // What comes while the first one is being kept locks nothing.
    let service = bench.service
    let second: @Sendable () async -> ServiceError? = {
      await #expect(throws: ServiceError.self) { _ = try await service.lock(wish) }
    }
    bench.store.meanwhile.withLock { $0 = second }
    let first = try await bench.service.lock(wish)
    let busy = bench.store.refused.withLock { $0 }
    #expect(busy?.code == .busy && busy?.retryAfter == 1)
    let again = try await bench.service.lock(wish)
    #expect(again.state.number == first.state.number && again.receipt == first.receipt)
    let refused = await #expect(throws: ServiceError.self) { _ = try await bench.service.lock(another) }
    #expect(refused?.code == .notFound)
    try await bench.service.delete(first.state.number, receipt: again.receipt)
    // The receipt is kept no longer than the recording.
    bench.clock.advance(by: .seconds(180))
    try await bench.service.sweep()
    let over = await #expect(throws: ServiceError.self) { _ = try await bench.service.lock(wish) }
    #expect(over?.code == .notFound)
  }

  @Test func `a wish that is refused leaves its recording for another try`() async throws {
    let bench = try Bench()
    let begun = try await bench.service.record(length: 3)
    _ = try await bench.perform(Bench.steps, begun)
    let empty = MessageWish.claimed(text: "", steps: .recording(begun.id, token: begun.token))
    let refused = await #expect(throws: ServiceError.self) { _ = try await bench.service.lock(empty) }
    #expect(refused?.code == .badValue)
    let message = try await bench.service.lock(
      MessageWish.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    ).state
    #expect(try await bench.attempt(message).state == .opened(text: "hi", viewsLeft: nil))
  }

  @Test func `who begins and does not perform keeps nobody else from a message`() async throws {
    let bench = try Bench { $0.maximumPerformancesOfCaller = 20 }
    let (message, other) = (try await bench.lock(), try await bench.lock())
    let (come, idle) = (
      try await bench.service.unlock(message.number, of: "a"), try await bench.service.unlock(message.number, of: "a")
    )
    for _ in 0..<14 { _ = try await bench.service.unlock(message.number, of: "a") }
    let full = await #expect(throws: ServiceError.self) { _ = try await bench.service.unlock(message.number, of: "a") }
    #expect(full?.code == .busy)
    _ = try await bench.service.unlock(message.number, of: "b")
    _ = try await bench.service.unlock(message.number)
    // Messages of one's own by the dozen do not help either.
    for _ in 0..<3 { _ = try await bench.service.unlock(other.number, of: "a") }
    _ = try await bench.service.record(length: 3, of: "a")
    let many = await #expect(throws: ServiceError.self) { _ = try await bench.service.unlock(other.number, of: "a") }
    #expect(many?.code == .busy)
    // Half a minute later those are forgotten that nobody came to, and no others.
    _ = try await bench.perform(["smile"], come)
    bench.clock.advance(by: .seconds(30))
    try await bench.service.sweep()
    for _ in 0..<15 { _ = try await bench.service.unlock(message.number, of: "a") }
    _ = await #expect(throws: ServiceError.self) { _ = try await bench.service.unlock(message.number, of: "a") }
    #expect(try await bench.perform(["surprise"], come).performed == ["smile", "surprise"])
    let gone = await #expect(throws: ServiceError.self) { _ = try await bench.perform(Bench.steps, idle) }
    #expect(gone?.code == .notFound)
  }

  @Test(arguments: [true, false])
  func `what is over takes nobody's place, and is told again all the same`(isCounted: Bool) async throws {
    let bench = try Bench {
      if isCounted { $0.maximumPerformancesOfCaller = 2 } else { $0.maximumPerformances = 8 }
      $0.firstAttemptWait = nil
    }
    let caller = isCounted ? "a" : nil
    let message = try await bench.lock { $0.attempts = 100 }
    let recording = try await bench.service.record(length: 3, of: caller)
    #expect(try await bench.perform(Bench.steps, recording).state == .recorded)
    let underWay = try await bench.service.unlock(message.number, of: caller)
    _ = try await bench.perform(["smile"], underWay)
    var over: [MessageService<ScriptedObserver>.Begun] = []
    for _ in 0..<20 {
      let begun = try await bench.service.unlock(message.number, of: caller)
      guard case .wrong = try await bench.perform(Bench.steps.reversed(), begun).state else {
        Issue.record("A wrong sequence opens nothing.")
        return
      }
      over.append(begun)
    }
    for (number, begun) in over.enumerated() {
      #expect(try await bench.perform(["smile"], begun).state == .wrong(attemptsLeft: 99 - number))
    }
    #expect(try await bench.perform(["surprise"], underWay).performed == ["smile", "surprise"])
    let wish = MessageWish.claimed(text: "hi", steps: .recording(recording.id, token: recording.token))
    let locked = try await bench.service.lock(wish)
    // All places are taken, and the recording has none any more.
    for _ in 0..<8 { _ = try? await bench.service.unlock(message.number, of: caller) }
    let full = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.unlock(message.number, of: caller)
    }
    #expect(full?.code == .busy)
    #expect(try await bench.service.lock(wish).receipt == locked.receipt)
  }

  @Test func `recordings that wait for their messages are so many and no more`() async throws {
    let bench = try Bench { $0.maximumPerformancesOfCaller = 2 }
    var waiting: [MessageService<ScriptedObserver>.Begun] = []
    for _ in 0..<8 {
      let begun = try await bench.service.record(length: 3, of: "a")
      #expect(try await bench.perform(Bench.steps, begun).state == .recorded)
      waiting.append(begun)
    }
    let full = await #expect(throws: ServiceError.self) { _ = try await bench.service.record(length: 3, of: "a") }
    #expect(full?.code == .busy)
    _ = try await bench.service.record(length: 3, of: "b")
    _ = try await bench.service.lock(
      MessageWish.claimed(text: "hi", steps: .recording(waiting[0].id, token: waiting[0].token)))
    _ = try await bench.service.record(length: 3, of: "a")
  }

  @Test func `frames are looked at by the server's own tracker, and do not mix with claims`() async throws {
    let bench = try Bench()
    let begun = try await bench.service.unlock(try await bench.lock().number)
    let step = try await bench.service.look(
      at: ScriptedObserver.frame(yaw: 0, faces: 0, mark: 1), of: begun.id, token: begun.token, client: "page",
      capturedAt: nil)
    #expect(step.state == .performing && !step.isClaimed && step.face == "no-face")
    let mixed = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.claim(
        [ClaimedObservation(at: .zero, faceCount: 0, box: nil, pose: nil, blendshapes: nil)], of: begun.id,
        token: begun.token, client: "page")
    }
    #expect(mixed?.code == .mixedSources)
    let broken = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.look(
        at: Array("no script".utf8), of: begun.id, token: begun.token, client: "page", capturedAt: nil)
    }
    #expect(broken?.code == .notAPicture)
    let face = ScriptedObserver.frame(yaw: 0, mark: 2)
    _ = try await bench.service.look(at: face, of: begun.id, token: begun.token, client: "page", capturedAt: nil)
    let other = try await bench.service.unlock(try await bench.lock().number)
    let covered = try await bench.service.look(
      at: ScriptedObserver.frame(yaw: 0, faces: 0, mark: 1), of: other.id, token: other.token, client: "page",
      capturedAt: nil)
    #expect(covered.face == "no-face", "images without a face are no evidence and may be anybody's")
    let replayed = await #expect(throws: ServiceError.self) {
      _ = try await bench.service.look(at: face, of: other.id, token: other.token, client: "page", capturedAt: nil)
    }
    #expect(replayed?.code == .frameReplayed)
  }

  @Test func `who asks too often waits for as long as it is told, and nobody else does`() async throws {
    let bench = try Bench { $0.locksPerHour = 3600 }
    for _ in 0..<120 { try await bench.service.admit(.lock, of: "a") }
    let error = await #expect(throws: ServiceError.self) { try await bench.service.admit(.lock, of: "a") }
    #expect(error?.code == .tooManyRequests && error?.retryAfter == 1)
    try await bench.service.admit(.lock, of: "b")
    try await bench.service.admit(.picture, of: "a")
    bench.clock.advance(by: .seconds(1))
    try await bench.service.admit(.lock, of: "a")
    _ = await #expect(throws: ServiceError.self) { try await bench.service.admit(.lock, of: "a") }
    // Strangers by the hundred do not let anybody be forgotten who has just asked, nor a clock that is put back.
    for stranger in 0..<500 { try await bench.service.admit(.lock, of: "\(stranger)") }
    bench.clock.advance(by: .seconds(-3600))
    _ = await #expect(throws: ServiceError.self) { try await bench.service.admit(.lock, of: "a") }
  }

  @Test func `no limit is no limit`() async throws {
    let bench = try Bench { $0.locksPerHour = 0 }
    for _ in 0..<500 { try await bench.service.admit(.lock, of: "a") }
  }

  @Test func `a number in a picture is read and not looked up`() async throws {
    let bench = try Bench()
    let found = try await bench.service.number(in: Array("0123-4567-89AB-CTVX".utf8))
    #expect(found.found == .pixels && found.text == "0123-4567-89AB-CTVX")
    let damaged = try await bench.service.number(in: Array("0123-4567-89AB-CTVZ".utf8))
    #expect(damaged.found == .damaged && damaged.text == nil)
  }

  @Test func `numbers of the sandbox are told from the others by how they begin`() async throws {
    let live = try await Bench().lock()
    let trial = try await Bench { $0.space = .sandbox }.lock()
    #expect(trial.number.hasPrefix("ZZZZ-") && !live.number.hasPrefix("ZZZZ-"))
    #expect(Space(ofMessage: trial.number.lowercased()) == .sandbox && Space(ofMessage: live.number) == .live)
    #expect(Space(ofMessage: "ZZZZ") == .live)
  }

  @Test func `frames that the sender does not trust try nothing, and count nothing`() async throws {
    let bench = try Bench()
    let message = try await bench.lock { $0.needsPassive = true }
    #expect(message.needsFrames && message.needsPassive)
    // A picture on a stand that makes faces: its landmarks never move.
    let still = try await bench.film(message) { _ in 0 }
    #expect(still.state == .suspect && still.performed == Bench.steps && !still.isClaimed)
    #expect(try await bench.state(message) == .ready(attemptsLeft: 10))
    // A head that leans slowly to one side, and is never where it was.
    let moving = try await bench.film(message) { Float($0) * 0.02 }
    #expect(moving.state == .opened(text: "meet me at nine", viewsLeft: nil))
    // Who does not ask for it gets what it was before.
    let trusting = try await bench.lock()
    #expect(try await bench.film(trusting) { _ in 0 }.state == .opened(text: "meet me at nine", viewsLeft: nil))
  }

  @Test func `nothing prints a text or a sequence`() async throws {
    let bench = try Bench()
    let message = try await bench.lock()
    let step = try await bench.attempt(message)
    let id = try #require(MessageCode(text: message.number))
    let kept = try #require(try await bench.store.message(id))
    for value in [step as Any, kept] {
      var dumped = ""
      dump(value, to: &dumped)
      for printed in [String(describing: value), String(reflecting: value), dumped] {
        #expect(printed.contains("withheld") && !printed.contains("nine") && !printed.contains("smile"))
      }
    }
  }
}
