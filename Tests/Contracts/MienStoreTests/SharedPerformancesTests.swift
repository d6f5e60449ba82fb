import MienTestGenerators
import MienAvatars
import MienCore
import MienTestSupport
import Testing

@testable import MienMessageService
@testable import MienPlatform
@testable import MienSecurity
@testable import MienStore

private let steps = ["smile", "wink_r", "smooch"]

/// Performances processed by several servers.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Performances on several servers` {
  private let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))

  private func openTwoServers() async throws -> [(store: PostgresStore, service: MessageService)] {
    let address = try PostgresServer.shared.get().address("&connection_limit=4")
    var servers: [(store: PostgresStore, service: MessageService)] = []
    for number in 1...2 {
      var generator = SplitMixGenerator(seed: 99)
      let store = try await PostgresStore(address, server: "server-\(number)")
      let service = MessageService(
        store: store, observer: ScriptedObserver(), clock: clock, settings: .claiming,
        keyring: try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32))),
        tokens: SessionTokens(using: &generator),
        avatars: TextImages(), images: TextImages(),
        generator: SplitMixGenerator(seed: UInt64(number)))
      servers.append((store, service))
    }
    return servers
  }

  /// Sets the time at which the leases were last renewed.
  private func setRenewalTime(_ time: String, in store: PostgresStore) async throws {
    _ = try await store.write("Test") { db in try db.change("UPDATE mien.live_performance SET renewed_ms = \(time)") }
    try await resetStateAge(store)
  }

  /// Sets the time of the states to an hour from now by the database's clock, so that their age counts as zero however
  /// slow the test is: the tests' clock does not advance by itself.
  private func resetStateAge(_ store: PostgresStore) async throws {
    _ = try await store.write("Test") { db in
      try db.change(
        "UPDATE mien.live_performance SET state_ms = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 3600000")
    }
  }

  @Test func `one server owns a performance and the other takes over when it is silent`() async throws {
    let servers = try await openTwoServers()
    let (first, second) = (servers[0].service, servers[1].service)
    let message = try await first.lock(CreateMessageOptions.claimed(text: "hi", steps: .names(steps))).state
    let begun = try await first.unlock(message.number)
    #expect(
      try await second.perform(["smile"], begun, by: clock).performed == ["smile"],
      "the server that is called first takes over")
    try await second.saveSnapshots()
    try await setRenewalTime("9000000000000000", in: servers[0].store)
    let refused = await #expect(throws: ServiceError.self) { _ = try await first.show(nil, begun, by: clock) }
    #expect(refused?.code == .frameInFlight)
    try await setRenewalTime("0", in: servers[0].store)
    #expect(try await first.perform(["wink_r"], begun, by: clock).performed == ["smile", "wink_r"])
    // The other server's cached state does not count: it notices when its lease ends.
    clock.advance(by: .seconds(1))
    try await setRenewalTime("9000000000000000", in: servers[0].store)
    let late = await #expect(throws: ServiceError.self) { _ = try await second.show("smooch", begun, by: clock) }
    #expect(late?.code == .frameInFlight)
    #expect(try await first.perform(["smooch"], begun, by: clock).state == .opened(text: "hi", viewsLeft: nil))
    #expect(try await second.show(nil, begun, by: clock).state == .opened(text: "hi", viewsLeft: nil))
    #expect(try await second.state(of: message.number).standing == .ready(attemptsLeft: 10))
  }

  @Test(arguments: [false, true])
  func `an attempt is counted once when two servers claim its performance`(isLater: Bool) async throws {
    let servers = try await openTwoServers()
    let (first, second) = (servers[0].service, servers[1].service)
    let message = try await first.lock(CreateMessageOptions.claimed(text: "hi", steps: .names(steps))).state
    let begun = try await first.unlock(message.number)
    _ = try await first.perform(["smooch", "wink_r"], begun, by: clock)
    // The smile is held for 0.3 s; another 0.1 s completes it.
    for index in 0..<13 { _ = try await first.show(index < 6 ? nil : "smile", begun, by: clock) }
    try await first.saveSnapshots()
    try await setRenewalTime("0", in: servers[0].store)
    // The second server acquires it, and the first has not noticed: it need not renew its lease for half a second.
    #expect(try await second.show("smile", begun, by: clock).state == .performing)
    var told: [PerformanceStep.State] = []
    for service in isLater ? [second, first, second, first] : [first, second, first, second] {
      do {
        let step = try await service.show("smile", begun, by: clock)
        if step.state.isFinal { told.append(step.state) }
      } catch let error as ServiceError {
        #expect(error.code == .frameInFlight, "\(error.reason)")
      }
    }
    #expect(!told.isEmpty && told.allSatisfy { $0 == .wrong(attemptsLeft: 9) }, "\(told.count)")
    #expect(try await second.state(of: message.number).standing == .ready(attemptsLeft: 9))
  }

  @Test func `concurrent locks with one recording lock one message`() async throws {
    let servers = try await openTwoServers()
    let (first, second) = (servers[0].service, servers[1].service)
    for _ in 0..<5 {
      let begun = try await first.record(length: 3)
      #expect(try await first.perform(steps, begun, by: clock).state == .recorded)
      let options = CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
      let replies = await withTaskGroup(of: Result<String, any Error>.self) { group in
        for number in 0..<8 {
          group.addTask {
            do {
              return .success(try await (number.isMultiple(of: 2) ? first : second).lock(options).state.number)
            } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      var numbers: Set<String> = []
      for reply in replies {
        switch reply {
        case .success(let number): numbers.insert(number)
        case .failure(let error): #expect((error as? ServiceError)?.code == .busy, "\(error)")
        }
      }
      #expect(numbers.count == 1)
      let again = try await second.lock(options)
      #expect(numbers == [again.state.number])
    }
    let kept: Int = try await servers[0].store.read("Test") { db in
      try db.rows("SELECT count(*) AS count FROM mien.message")[0]["count"]
    }
    #expect(kept == 5)
  }

  @Test func `a server that shuts down releases its performances immediately`() async throws {
    let servers = try await openTwoServers()
    let (first, second) = (servers[0].service, servers[1].service)
    let begun = try await first.record(length: 3)
    _ = try await first.perform(["smile"], begun, by: clock)
    try await setRenewalTime("9000000000000000", in: servers[0].store)
    let early = await #expect(throws: ServiceError.self) {
      try await second.lock(CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token)))
    }
    #expect(early?.code == .badValue, "a performance in progress is not complete")
    try await first.release()
    try await resetStateAge(servers[0].store)
    #expect(try await second.perform(["wink_r"], begun, by: clock).performed == ["smile", "wink_r"])
  }
}
