import MienAvatars
import MienCore
import MienMessageService
import MienPlatform
import MienTestSupport
import MienVault
import Synchronization
import Testing

@Suite struct `Performances` {
  private static let wrong = ["smooch", "wink_r", "smile"]

  @Test func `a performance times out without cost`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock()
    let begun = try await fixture.service.unlock(message.number)
    _ = try await fixture.perform(["smile"], begun)
    fixture.clock.advance(by: .seconds(180))
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(MessageBench.steps, begun) }
    #expect(error?.code == .tokenExpired)
    try await fixture.service.expireAndPurge()
    let gone = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(MessageBench.steps, begun) }
    #expect(gone?.code == .notFound)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `the final step can be repeated without counting twice`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.views = 1 }
    let begun = try await fixture.service.unlock(message.number)
    for _ in 0..<3 {
      #expect(
        try await fixture.perform(MessageBench.steps, begun).state == .opened(text: "meet me at nine", viewsLeft: 0))
    }
    let other = try await fixture.lock()
    let failed = try await fixture.service.unlock(other.number)
    for _ in 0..<3 { #expect(try await fixture.perform(Self.wrong, failed).state == .wrong(attemptsLeft: 9)) }
    #expect(try await fixture.state(other) == .ready(attemptsLeft: 9))
  }

  @Test func `a recording locks one message and a repeated request gets the same response`() async throws {
    let fixture = try MessageBench()
    let begun = try await fixture.service.record(length: 3)
    #expect(try await fixture.perform(MessageBench.steps, begun).state == .recorded)
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
    let fixture = try MessageBench()
    let begun = try await fixture.service.record(length: 3)
    _ = try await fixture.perform(MessageBench.steps, begun)
    let empty = CreateMessageOptions.claimed(text: "", steps: .recording(begun.id, token: begun.token))
    let refused = await #expect(throws: ServiceError.self) { _ = try await fixture.service.lock(empty) }
    #expect(refused?.code == .badValue)
    let message = try await fixture.service.lock(
      CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    ).state
    #expect(try await fixture.attempt(message).state == .opened(text: "hi", viewsLeft: nil))
  }

  @Test func `an unfinished performance does not block others from a message`() async throws {
    let fixture = try MessageBench { $0.maximumPerformancesOfCaller = 20 }
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
    #expect(try await fixture.perform(["wink_r"], come).performed == ["smile", "wink_r"])
    let gone = await #expect(throws: ServiceError.self) { _ = try await fixture.perform(MessageBench.steps, idle) }
    #expect(gone?.code == .notFound)
  }

  @Test(arguments: [true, false])
  func `finished performances free their places and remain readable`(isCounted: Bool) async throws {
    let fixture = try MessageBench {
      if isCounted { $0.maximumPerformancesOfCaller = 2 } else { $0.maximumPerformances = 8 }
      $0.firstAttemptWait = nil
    }
    let caller = isCounted ? "a" : nil
    let message = try await fixture.lock { $0.attempts = 100 }
    let recording = try await fixture.service.record(length: 3, of: caller)
    #expect(try await fixture.perform(MessageBench.steps, recording).state == .recorded)
    let underWay = try await fixture.service.unlock(message.number, of: caller)
    _ = try await fixture.perform(["smile"], underWay)
    var over: [MessageService.Begun] = []
    for _ in 0..<20 {
      let begun = try await fixture.service.unlock(message.number, of: caller)
      guard case .wrong = try await fixture.perform(MessageBench.steps.reversed(), begun).state else {
        Issue.record("A wrong sequence opens nothing.")
        return
      }
      over.append(begun)
    }
    for (number, begun) in over.enumerated() {
      #expect(try await fixture.perform(["smile"], begun).state == .wrong(attemptsLeft: 99 - number))
    }
    #expect(try await fixture.perform(["wink_r"], underWay).performed == ["smile", "wink_r"])
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
    let fixture = try MessageBench { $0.maximumPerformancesOfCaller = 2 }
    var waiting: [MessageService.Begun] = []
    for _ in 0..<8 {
      let begun = try await fixture.service.record(length: 3, of: "a")
      #expect(try await fixture.perform(MessageBench.steps, begun).state == .recorded)
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
    let fixture = try MessageBench()
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
    let fixture = try MessageBench { $0.locksPerHour = 3600 }
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
    let fixture = try MessageBench { $0.locksPerHour = 0 }
    for _ in 0..<500 { try await fixture.service.admit(.lock, of: "a") }
  }

  @Test func `frames rejected by passive signals neither try nor count`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.needsPassive = true }
    #expect(message.needsFrames && message.needsPassive)
    // A photo on a stand with changing expressions: its landmarks never move.
    let still = try await fixture.performWithFrames(message) { _ in 0 }
    #expect(still.state == .suspect && still.performed == MessageBench.steps && !still.isClaimed)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
    // A head that leans slowly to one side and never returns.
    let moving = try await fixture.performWithFrames(message) { Float($0) * 0.02 }
    #expect(moving.state == .opened(text: "meet me at nine", viewsLeft: nil))
    // Without the option, the previous behavior applies.
    let trusting = try await fixture.lock()
    #expect(
      try await fixture.performWithFrames(trusting) { _ in 0 }.state == .opened(text: "meet me at nine", viewsLeft: nil)
    )
  }

}
