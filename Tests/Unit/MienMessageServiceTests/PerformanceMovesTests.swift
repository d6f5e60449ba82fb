import MienTestGenerators
import Foundation
import MienAvatars
import MienCore
import MienLiveSessions
import MienStore
import MienTestSupport
import Testing

@testable import MienMessageService
@testable import MienPlatform
@testable import MienSecurity

/// Database with servers that start and stop.
private final class FailoverFixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let path: String
  private var number = 0

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-performances-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
  }

  /// Starts another server with its own randomness.
  func server(sealed key: UInt8 = 7) throws -> MessageService {
    number += 1
    var generator = SplitMixGenerator(seed: 99)
    return MessageService(
      store: try SQLiteStore(path: path), observer: ScriptedObserver(), clock: clock, settings: .claiming,
      keyring: try #require(MasterKeyring(key: [UInt8](repeating: key, count: 32))),
      tokens: SessionTokens(using: &generator),
      avatars: TextImages(), images: TextImages(),
      generator: SplitMixGenerator(seed: UInt64(number)))
  }

  func database() throws -> SQLiteStore { try SQLiteStore(path: path) }
}

private let steps = ["smile", "wink_r", "smooch"]
private let text = "meet me at nine"

extension MessageService {
  fileprivate func locked(_ adjust: (inout CreateMessageOptions) -> Void = { _ in }) async throws -> MessageState {
    var options = CreateMessageOptions.claimed(text: text, steps: .names(steps))
    adjust(&options)
    return try await lock(options).state
  }
}

@Suite struct `Performance failover` {
  /// The server changes after a number of observations, so that all stages of the performance are covered.
  @Test(arguments: Array(stride(from: 1, through: 46, by: 3)), [false, true])
  func `a performance continues on another server and opens the message at the first attempt`(
    cut: Int, needsLink: Bool
  ) async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    var options = CreateMessageOptions.claimed(text: text, steps: .names(steps))
    options.needsLink = needsLink
    let (message, _, link) = try await first.lock(options)
    let begun = try await first.unlock(message.number, link: link)
    let faces: [String?] = steps.flatMap { name in (0..<16).map { $0 < 6 ? nil : name } }
    var (server, last) = (first, PerformanceStep?.none)
    for (index, face) in faces.enumerated() where last?.state.isFinal != true {
      if index == cut || index == cut + 24 {
        try await server.saveSnapshots()
        server = try fixture.server()
      }
      last = try await server.show(face, begun, by: fixture.clock)
    }
    #expect(last?.state == .opened(text: text, viewsLeft: nil) && last?.performed == steps)
    #expect(try await server.state(of: message.number).standing == .ready(attemptsLeft: 10))
  }

  @Test func `a performance can start on one server and continue on another`() async throws {
    let fixture = try FailoverFixture()
    let (first, second) = (try fixture.server(), try fixture.server())
    let message = try await first.locked()
    let begun = try await first.unlock(message.number)
    #expect(try await second.perform(steps.reversed(), begun, by: fixture.clock).state == .wrong(attemptsLeft: 9))
    // A repeated request on any server returns the same result, and nothing is counted twice.
    for server in [first, try fixture.server()] {
      #expect(try await server.perform(["smile"], begun, by: fixture.clock).state == .wrong(attemptsLeft: 9))
    }
    #expect(try await first.state(of: message.number).standing == .ready(attemptsLeft: 9))
  }

  @Test func `the opened text is returned after the last view when its server has died`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let message = try await first.locked { $0.views = 1 }
    let begun = try await first.unlock(message.number)
    #expect(try await first.perform(steps, begun, by: fixture.clock).state == .opened(text: text, viewsLeft: 0))
    let second = try fixture.server()
    #expect(try await second.perform(["smile"], begun, by: fixture.clock).state == .opened(text: text, viewsLeft: 0))
    #expect(try await second.state(of: message.number).standing == .read)
    // Neither text nor steps are stored in plain text or only encrypted with the master key: the token's part of the
    // key is not stored.
    let raw = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
    let log = (try? Data(contentsOf: URL(fileURLWithPath: fixture.path + "-wal"))) ?? Data()
    for open in [text, "wink_r"] { #expect((raw + log).range(of: Data(open.utf8)) == nil) }
    let stranger = try await second.unlock(try await second.locked().number)
    let guess = MessageService.Begun(
      id: begun.id, token: stranger.token, expires: begun.expires, steps: 3)
    let refused = await #expect(throws: ServiceError.self) {
      _ = try await second.perform(["smile"], guess, by: fixture.clock)
    }
    #expect(refused?.code == .unauthorized)
  }

  @Test func `a recording locks one message only, on another server`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let begun = try await first.record(length: 3)
    #expect(try await first.perform(steps, begun, by: fixture.clock).state == .recorded)
    let options = CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    let second = try fixture.server()
    let locked = try await second.lock(options)
    let again = try await first.lock(options)
    #expect(again.state.number == locked.state.number && again.receipt == locked.receipt)
    var other = options
    other.text = "ho"
    let refused = await #expect(throws: ServiceError.self) { _ = try await first.lock(other) }
    #expect(refused?.code == .notFound)
    let opening = try await first.unlock(locked.state.number)
    #expect(try await second.perform(steps, opening, by: fixture.clock).state == .opened(text: "hi", viewsLeft: nil))
  }

  @Test func `an attempt interrupted by a crash is not repeated and counts once`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let message = try await first.locked()
    let begun = try await first.unlock(message.number)
    _ = try await first.perform(["smile", "wink_r"], begun, by: fixture.clock)
    for face in [nil, nil, nil, nil] as [String?] { _ = try await first.show(face, begun, by: fixture.clock) }
    // State as saved before counting the attempt, after which the server crashed.
    let performance = try await first.performance(begun.id, token: begun.token)
    var progress: ActivePerformance.Progress?
    for _ in 0..<12 {
      fixture.clock.advance(by: .milliseconds(50))
      var claim = ClientObservation(at: fixture.clock.now(), faceCount: 1, box: nil, pose: nil, blendshapes: nil)
      claim.blendshapes = performedFace("smooch")
      progress = try await performance.claim([claim], client: "phone", at: fixture.clock.now())
      if case .complete? = progress { break }
    }
    guard case .complete? = progress else {
      Issue.record("It was not complete.")
      return
    }
    // Periodic snapshots neither interfere with it nor revert it.
    try await first.saveSnapshots()
    try await first.settle(performance)
    try await first.saveSnapshots()
    let second = try fixture.server()
    let soon = await #expect(throws: ServiceError.self) { _ = try await second.show(nil, begun, by: fixture.clock) }
    #expect(soon?.code == .frameInFlight, "a decision may be in progress")
    fixture.clock.advance(by: .seconds(1))
    let later = await #expect(throws: ServiceError.self) { _ = try await second.show(nil, begun, by: fixture.clock) }
    #expect(later?.code == .notFound)
    #expect(try await second.state(of: message.number).standing == .ready(attemptsLeft: 10))
  }

  @Test func `a message whose server died before storing it is locked by repeating the request`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let begun = try await first.record(length: 3)
    _ = try await first.perform(steps, begun, by: fixture.clock)
    let options = CreateMessageOptions.claimed(text: "hi", steps: .recording(begun.id, token: begun.token))
    // What is kept first; the message itself never came.
    let performance = try await first.performance(begun.id, token: begun.token)
    var generator = SplitMixGenerator(seed: 5)
    let number = MessageID(using: &generator)
    await performance.lock(.init(options: options.digest, message: number, receipt: "rcp_once", link: nil))
    try await first.settle(performance)
    let second = try fixture.server()
    let locked = try await second.lock(options)
    #expect(locked.state.number == number.text && locked.receipt == "rcp_once")
    let opening = try await second.unlock(number.text)
    #expect(try await second.perform(steps, opening, by: fixture.clock).state == .opened(text: "hi", viewsLeft: nil))
  }

  @Test func `frames processed by one server are not processed again by the next`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let begun = try await first.unlock(try await first.locked().number)
    func look(_ mark: Int, at server: MessageService, _ begun: MessageService.Begun)
      async throws -> PerformanceStep
    {
      fixture.clock.advance(by: .milliseconds(100))
      return try await server.processFrame(
        at: ScriptedObserver.frame(yaw: 0, faces: mark == 6 ? 0 : 1, mark: mark), of: begun.id, token: begun.token,
        client: "page", capturedAt: nil)
    }
    for mark in 1...5 { _ = try await look(mark, at: first, begun) }
    try await first.saveSnapshots()
    let second = try fixture.server()
    #expect(try await look(6, at: second, begun).face == "no-face")
    let stranger = try await second.unlock(try await second.locked().number)
    let replay = await #expect(throws: ServiceError.self) { _ = try await look(3, at: second, stranger) }
    #expect(replay?.code == .frameReplayed)
    // Neither observations with frames nor two clients can be mixed there.
    let mixed = await #expect(throws: ServiceError.self) {
      _ = try await second.claim(
        [ClientObservation(at: .zero, faceCount: 0, box: nil, pose: nil, blendshapes: nil)], of: begun.id,
        token: begun.token, client: "page")
    }
    #expect(mixed?.code == .mixedSources)
    let twice = await #expect(throws: ServiceError.self) {
      _ = try await second.processFrame(
        at: ScriptedObserver.frame(yaw: 0, faces: 0, mark: 9), of: begun.id, token: begun.token, client: "other",
        capturedAt: nil)
    }
    #expect(twice?.code == .secondClient)
  }

  @Test func `another master key cannot continue a performance`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let begun = try await first.record(length: 3)
    _ = try await first.perform(["smile"], begun, by: fixture.clock)
    try await first.saveSnapshots()
    let stranger = try fixture.server(sealed: 8)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await stranger.perform(["smile"], begun, by: fixture.clock)
    }
    #expect(error?.code == .notFound)
  }

  @Test func `state is deleted after the timeout`() async throws {
    let fixture = try FailoverFixture()
    let server = try fixture.server()
    let message = try await server.locked()
    let (done, idle) = (try await server.unlock(message.number), try await server.unlock(message.number))
    _ = try await server.perform(steps, done, by: fixture.clock)
    let store = try fixture.database()
    fixture.clock.advance(by: .seconds(31))
    try await server.expireAndPurge()
    #expect(try await store.takePerformance(idle.id, at: fixture.clock.timeOfDay()) == nil)
    #expect(try await store.takePerformance(done.id, at: fixture.clock.timeOfDay()) != nil)
    fixture.clock.advance(by: .seconds(150))
    try await server.expireAndPurge()
    #expect(try await store.takePerformance(done.id, at: fixture.clock.timeOfDay()) == nil)
  }

  @Test func `arbitrary bytes decode to a valid state or are rejected`() throws {
    var generator = SplitMixGenerator(seed: 3)
    var state = ActivePerformanceState(
      .open(MessageID(using: &generator), link: "abc"), length: 5, needsFrames: true, needsPassive: true,
      caller: "10.0.0.0", expires: UnixTime(milliseconds: 1_800_000_000_000))
    state.begin(with: .frames, from: "page")
    state.input.receive([UInt8](repeating: 9, count: 32))
    var states = [state]
    for end: PerformanceStep.State in [
      .recorded, .opened(text: "hi", viewsLeft: nil), .opened(text: "", viewsLeft: 3), .wrong(attemptsLeft: 2),
      .suspect, .refused(.ready(attemptsLeft: 1)), .refused(.waiting(until: UnixTime(milliseconds: 77))),
      .refused(.read), .refused(.expired), .refused(.deleted),
    ] {
      state.end(end)
      states.append(state)
    }
    state.locked = .init(
      options: SecretDigest(of: "options"), message: MessageID(using: &generator), receipt: "rcp_1", link: "abc")
    states.append(state)
    for state in states {
      let bytes = state.bytes(at: .zero)
      let read = try #require(ActivePerformanceState(bytes, at: .zero))
      #expect(read.bytes(at: .zero) == bytes, "everything is restored")
      #expect(ActivePerformanceState(bytes + [0], at: .zero) == nil)
      for length in bytes.indices { #expect(ActivePerformanceState(Array(bytes[..<length]), at: .zero) == nil) }
      for _ in 0..<300 {
        var changed = bytes
        for _ in 0...3 {
          changed[.random(in: changed.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
        }
        _ = ActivePerformanceState(changed, at: .zero)
      }
    }
  }
}
