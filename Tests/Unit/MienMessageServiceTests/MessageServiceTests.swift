import Foundation
import MienAvatars
import MienCore
import MienMessageService
import MienPlatform
import MienStore
import MienTestSupport
import MienVault
import Synchronization
import Testing

@Suite struct `Message service` {
  private static let wrong = ["smooch", "wink_r", "smile"]

  @Test func `the right sequence opens the message and a wrong one costs one attempt and is reported`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.views = 2 }
    let wrong = try await fixture.attempt(message, Self.wrong)
    #expect(wrong.state == .wrong(attemptsLeft: 9) && wrong.performed == Self.wrong && wrong.isClaimed)
    #expect(try await fixture.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 1))
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 9))
  }

  @Test func `only the holder of the link can use up attempts`() async throws {
    let fixture = try MessageBench()
    var options = CreateMessageOptions.claimed(text: "meet me at nine", steps: .names(MessageBench.steps))
    options.needsLink = true
    let (message, _, link) = try await fixture.service.lock(options)
    let key = try #require(link)
    #expect(message.needsLink && key.utf8.count == 22)
    for wrong in [nil, "", String(key.reversed()), key + "a"] {
      let refusal = await #expect(throws: ServiceError.self) {
        _ = try await fixture.service.unlock(message.number, link: wrong, of: "stranger")
      }
      #expect(refusal?.code == .linkRequired)
    }
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
    let wrong = try await fixture.service.unlock(message.number, link: key, of: "reader")
    #expect(try await fixture.perform(Self.wrong, wrong).state == .wrong(attemptsLeft: 9))
    let right = try await fixture.service.unlock(message.number, link: key, of: "other reader")
    #expect(
      try await fixture.perform(MessageBench.steps, right).state == .opened(text: "meet me at nine", viewsLeft: nil))
    // A message without a link ignores a key.
    let open = try await fixture.lock()
    _ = try await fixture.service.unlock(open.number, link: key)
  }

  @Test(arguments: ["tongue_out", "surprise"])
  func `a message that requires frames is not locked with an expression they do not show reliably`(
    _ name: String
  ) async throws {
    let fixture = try MessageBench()
    var options = CreateMessageOptions(text: "hi", steps: .names(["smile", name, "smooch"]))
    let refusal = await #expect(throws: ServiceError.self) { _ = try await fixture.service.lock(options) }
    #expect(refusal?.code == .badValue && refusal?.reason.contains(name) == true)
    options.needsFrames = false
    _ = try await fixture.service.lock(options)
    _ = try await fixture.service.lock(CreateMessageOptions(text: "hi", steps: .names(MessageBench.steps)))
  }

  @Test func `an address is delayed from its first wrong attempt without affecting others`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.attempts = 3 }
    // Begun while the address may try: of all that end at once, one is tried.
    var begun: [MessageService.Begun] = []
    for _ in 0..<6 { begun.append(try await fixture.service.unlock(message.number, of: "a")) }
    var ends: [PerformanceStep.State] = []
    for one in begun.dropFirst() { _ = try await fixture.perform(["smooch", "wink_r"], one) }
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
      try await fixture.perform(MessageBench.steps, fixture.service.unlock(message.number, of: "b")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    fixture.clock.advance(by: .seconds(6))
    #expect(
      try await fixture.perform(MessageBench.steps, fixture.service.unlock(message.number, of: "a")).state
        == .opened(text: "meet me at nine", viewsLeft: nil))
    _ = try await fixture.service.unlock(message.number, of: "a")
  }

  @Test func `servers on one store count an address's wrong attempts together and keep them across restarts`()
    async throws
  {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-messages-\(UUID()).sqlite").path
    var fixture = try MessageBench(at: path)
    let message = try await fixture.lock()
    for (attempt, wait) in [5.0, 10, 20].enumerated() {
      let end = try await fixture.perform(Self.wrong, fixture.service.unlock(message.number, of: "a"))
      #expect(end.state == .wrong(attemptsLeft: 9 - attempt))
      // Another server, or the same one after a restart.
      let clock = fixture.clock
      fixture = try MessageBench(at: path, clock: clock, seed: UInt64(attempt) + 2)
      let early = await #expect(throws: ServiceError.self) {
        _ = try await fixture.service.unlock(message.number, of: "a")
      }
      #expect(early?.code == .messageLocked && abs(Double(early?.retryAfter ?? 0) - wait) <= 1)
      _ = try await fixture.service.unlock(message.number, of: "b")
      fixture.clock.advance(by: .seconds(wait))
    }
    _ = try await fixture.service.unlock(message.number, of: "a")
    fixture.clock.advance(by: .seconds(2 * 3600))
    try await fixture.service.expireAndPurge()
    let latest = UnixTime(milliseconds: .max)
    #expect(
      try await fixture.store.store.purgeWaits(before: latest, after: latest, limit: 9) == 0,
      "ended waits are deleted")
  }

  @Test func `attempts are restored over time so that strangers cannot lock a message permanently`() async throws {
    let fixture = try MessageBench()
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
      let fixture = try MessageBench { $0.allowsClaims = isAllowed }
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
      #expect(
        try await fixture.performWithFrames(message) { _ in 0 }.state
          == .opened(text: "meet me at nine", viewsLeft: nil))
    }
    // The server's word counts when the claims come, whatever was locked before.
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-claims-\(UUID()).sqlite").path
    let before = try MessageBench(at: path)
    let message = try await before.lock()
    #expect(!message.needsFrames)
    let after = try MessageBench(at: path) { $0.allowsClaims = false }
    #expect(try await after.service.state(of: message.number).needsFrames)
    let refused = await #expect(throws: ServiceError.self) { _ = try await after.attempt(message) }
    #expect(refused?.code == .sourceNotAllowed)
  }

  @Test func `a store that cannot count rejects every attempt`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock()
    fixture.store.next.withLock { $0 = .counting }
    let error = await #expect(throws: StoreError.self) { _ = try await fixture.attempt(message) }
    #expect(error?.code == .unavailable)
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
  }

  @Test func `a store failure after counting returns no text and keeps the count`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.views = 1 }
    fixture.store.next.withLock { $0 = .opening }
    _ = await #expect(throws: StoreError.self) { _ = try await fixture.attempt(message) }
    fixture.store.next.withLock { $0 = .nothing }
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 9))
    #expect(try await fixture.attempt(message).state == .opened(text: "meet me at nine", viewsLeft: 0))
    #expect(try await fixture.state(message) == .read)
  }

  @Test func `an expired message stays expired before and after cleanup`() async throws {
    let fixture = try MessageBench()
    let message = try await fixture.lock { $0.expiresIn = 60 }
    let begun = try await fixture.service.unlock(message.number)
    fixture.clock.advance(by: .seconds(59))
    #expect(try await fixture.state(message) == .ready(attemptsLeft: 10))
    let late = try await fixture.perform(MessageBench.steps, begun)
    #expect(late.state == .refused(.expired) && late.state.code == "expired")
    try await fixture.service.expireAndPurge()
    // The clock is set back: the expiration remains.
    fixture.clock.advance(by: .seconds(-30))
    #expect(try await fixture.state(message) == .expired)
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.service.unlock(message.number) }
    #expect(error?.code == .messageGone)
  }

  @Test func `cleanup deletes the text of expired messages and later their IDs`() async throws {
    let fixture = try MessageBench()
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

  @Test func `a message ID in an image is read without a lookup`() async throws {
    let fixture = try MessageBench()
    let found = try await fixture.service.number(in: Array("0123-4567-89AB-CTVX".utf8))
    #expect(found.found == .pixels && found.text == "0123-4567-89AB-CTVX")
    let damaged = try await fixture.service.number(in: Array("0123-4567-89AB-CTVZ".utf8))
    #expect(damaged.found == .damaged && damaged.text == nil)
  }

  @Test func `sandbox message IDs are distinguished by their prefix`() async throws {
    let live = try await MessageBench().lock()
    let trial = try await MessageBench { $0.realm = .sandbox }.lock()
    #expect(trial.number.hasPrefix("ZZZZ-") && !live.number.hasPrefix("ZZZZ-"))
    #expect(Realm(ofMessage: trial.number.lowercased()) == .sandbox && Realm(ofMessage: live.number) == .live)
    #expect(Realm(ofMessage: "ZZZZ") == .live)
  }

  @Test func `printing reveals no text or sequence`() async throws {
    let fixture = try MessageBench()
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
