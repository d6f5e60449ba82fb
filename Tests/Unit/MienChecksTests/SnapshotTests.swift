import MienTestGenerators
import Foundation
import MienCore
import MienLiveSessions
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

/// Database with servers that start and stop.
private final class FailoverFixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let path: String
  let keyring: MasterKeyring
  private var number = 0
  private var mark = 0

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-snapshots-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
    keyring = try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32)))
  }

  /// Starts another server with its own randomness.
  func server(keyring: MasterKeyring? = nil, _ adjust: (inout ServiceSettings) -> Void = { _ in }) throws
    -> LivenessCheckService
  {
    number += 1
    var settings = ServiceSettings.scripted
    adjust(&settings)
    var generator = SplitMixGenerator(seed: 99)
    return LivenessCheckService(
      store: try SQLiteStore(path: path), observer: ScriptedObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: UInt64(number)), keyring: keyring ?? self.keyring,
      tokens: SessionTokens(using: &generator))
  }

  /// Processes one frame, a tenth of a second after the previous one.
  func sendFrame(
    _ yaw: Float, _ made: (check: CheckRecord, token: String), at server: LivenessCheckService,
    client: String = "page", mark chosen: Int? = nil, after wait: Interval = .milliseconds(100)
  ) async throws -> CheckStep {
    mark += 1
    clock.advance(by: wait)
    return try await server.processFrame(
      at: ScriptedObserver.frame(yaw: yaw, mark: chosen ?? mark), of: made.check.id, token: made.token, client: client,
      capturedAt: nil)
  }

  /// Holds still until tracking starts.
  func settle(_ made: (check: CheckRecord, token: String), at server: LivenessCheckService)
    async throws
    -> Int
  {
    for number in 1...60 where try await sendFrame(0, made, at: server).state == "tracking" { return number }
    throw StoreError(.missing, reason: "The turn was never requested.")
  }
}

private let turn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]

extension LivenessCheckService {
  fileprivate func made(
    side: Side? = .subjectLeft, attempts: Int = 1, tasks: [TaskOptions]? = nil, sources: CheckSources = .observed
  ) async throws -> (check: CheckRecord, token: String) {
    try await create(
      side: side, person: nil, expectsDepth: false, reference: nil, tasks: tasks, attempts: attempts, sources: sources)
  }
}

@Suite struct `Check failover` {
  @Test(arguments: 0...8) func `a check continues on another server in the middle of a turn at any frame`(cut: Int)
    async throws
  {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let made = try await first.made()
    var frames = try await fixture.settle(made, at: first)
    for yaw in turn[..<cut] {
      _ = try await fixture.sendFrame(yaw, made, at: first)
      frames += 1
    }
    try await first.saveSnapshots()
    let second = try fixture.server()
    var last: CheckStep?
    for yaw in turn[cut...] where last?.isOver != true {
      last = try await fixture.sendFrame(yaw, made, at: second)
      frames += 1
    }
    #expect(last?.state == "passed")
    let result = try #require(try await second.read(made.check.id).result)
    #expect(result.frames == frames && result.received?.count == frames, "the chain holds the frames of both")
    #expect(result.outboundPath.max() ?? 0 > 25 && result.findings.contains { $0.check == "head-turn" })
  }

  @Test func `the frame chain commits to the frames of both servers`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let made = try await first.made()
    var chain = FrameHashChain(of: made.check.id)
    var (server, last) = (first, CheckStep?.none)
    for mark in 0..<120 where last?.isOver != true {
      if mark.isMultiple(of: 5) {
        try await server.saveSnapshots()
        server = try fixture.server()
      }
      let asked = last?.state == "tracking" ? 1 : 0
      let yaw = asked == 0 ? 0 : turn[min(mark % 12, 9)]
      chain.append(await ReplayGuard.digest(of: ScriptedObserver.frame(yaw: yaw, mark: 5000 + mark)))
      last = try await fixture.sendFrame(yaw, made, at: server, mark: 5000 + mark)
    }
    #expect(last?.isOver == true)
    #expect(try await server.read(made.check.id).result?.received == chain)
  }

  @Test func `a frame processed by the first server is not processed by the second`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let (made, stranger) = (try await first.made(), try await first.made())
    for mark in 1...5 { _ = try await fixture.sendFrame(0, made, at: first, mark: mark) }
    try await first.saveSnapshots()
    let second = try fixture.server()
    _ = try await fixture.sendFrame(0, made, at: second, mark: 6)
    for mark in 1...5 { _ = try await fixture.sendFrame(0, made, at: second, mark: mark) }
    #expect(second.meter.read().frames == ["judged": 1, "repeated": 5])
    let replay = await #expect(throws: ServiceError.self) {
      _ = try await fixture.sendFrame(0, stranger, at: second, mark: 3)
    }
    #expect(replay?.code == .frameReplayed, "nor is it accepted for another check")
  }

  @Test func `only the client that started a check continues it and sources cannot be mixed`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server { $0.allowsClaims = true }
    let made = try await first.made(sources: [.observed, .claimed])
    for _ in 0..<3 { _ = try await fixture.sendFrame(0, made, at: first) }
    try await first.saveSnapshots()
    let second = try fixture.server { $0.allowsClaims = true }
    let other = await #expect(throws: ServiceError.self) {
      _ = try await fixture.sendFrame(0, made, at: second, client: "another")
    }
    #expect(other?.code == .secondClient)
    let observation = ClientObservation(
      at: .zero, faceCount: 1, box: nil, pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: nil)
    let claim = await #expect(throws: ServiceError.self) {
      _ = try await second.claim([observation], of: made.check.id, token: made.token, client: "page")
    }
    #expect(claim?.code == .mixedSources)
  }

  @Test func `used attempts stay used and the next one has the announced tasks`() async throws {
    let fixture = try FailoverFixture()
    var server = try fixture.server()
    let made = try await server.made(attempts: 2, tasks: [TaskOptions(kind: "head-turn")])
    var (steps, sides): ([CheckStep], Set<Side>) = ([], [])
    for _ in 0..<200 where steps.last?.isOver != true {
      try await server.saveSnapshots()
      server = try fixture.server()
      let last = steps.last
      // Always to the wrong side.
      let yaw: Float = last?.state == "tracking" ? (last?.side == .subjectLeft ? -32 : 32) : 0
      steps.append(try await fixture.sendFrame(yaw, made, at: server, after: .milliseconds(200)))
      if steps.last?.attempt?.number == 2, let side = steps.last?.side { sides.insert(side) }
    }
    #expect(steps.last?.state == "failed")
    #expect(sides.count == 1, "the second attempt's side does not change with the server")
    let result = try #require(try await server.read(made.check.id).result)
    #expect(result.previousAttempts.count == 1 && result.frames == steps.count)
  }

  @Test func `a pause caused by the server costs no attempt and gains no time`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let made = try await first.made()
    _ = try await fixture.settle(made, at: first)
    for yaw in turn[..<4] { _ = try await fixture.sendFrame(yaw, made, at: first) }
    try await first.saveSnapshots()
    let second = try fixture.server()
    let back = try await fixture.sendFrame(0, made, at: second, after: .seconds(8))
    #expect(!back.isOver && back.state == "positioning", "the attempt begins again")
    // During the server's lifetime, the same pause counts against the user: the third one ends the check.
    var step = back
    for _ in 0..<3 {
      #expect(!step.isOver)
      _ = try await fixture.settle(made, at: second)
      step = try await fixture.sendFrame(0, made, at: second, after: .seconds(8))
    }
    #expect(step.state == "failed" && step.reason == "face-lost")
    #expect(try await second.read(made.check.id).result?.frames ?? 0 > 10)
    // The time limit continues while no server is running.
    let late = try await first.made()
    _ = try await fixture.sendFrame(0, late, at: first)
    try await first.saveSnapshots()
    fixture.clock.advance(by: .seconds(181))
    let expired = await #expect(throws: ServiceError.self) {
      _ = try await fixture.sendFrame(0, late, at: fixture.server())
    }
    #expect(expired?.code == .tokenExpired)
  }

  @Test func `a check that times out without a server ends with its result and is counted`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let person = try #require(PersonID("anna"))
    let made = try await first.create(side: .subjectLeft, person: person, expectsDepth: false, reference: nil)
    for _ in 0..<5 { _ = try await fixture.sendFrame(0, made, at: first) }
    let untouched = try await first.made()
    try await first.saveSnapshots()
    let second = try fixture.server()
    fixture.clock.advance(by: .seconds(181))
    try await second.expireAndPurge()
    let result = try #require(try await second.read(made.check.id).result)
    #expect(result.outcome == .timedOut && result.source == .observed)
    #expect(result.frames == 5 && result.received?.count == 5)
    #expect(try await second.read(untouched.check.id).result?.source == CheckResult.Source.none)
    let kept = try await SQLiteStore(path: fixture.path).lockouts(of: [.person(person)])
    #expect(kept[.person(person)]?.failures.count == 1)
  }

  @Test(arguments: [140.0, 184]) func `a check deleted on another server does not block the end of others`(
    seconds: Double
  ) async throws {
    let fixture = try FailoverFixture()
    let (first, second) = (try fixture.server(), try fixture.server())
    let made = try await first.made()
    _ = try await fixture.settle(made, at: first)
    let other = try await second.made()
    try await second.delete(made.check.id)
    for _ in 0..<4 {
      fixture.clock.advance(by: .seconds(seconds / 4))
      try await first.expireAndPurge()
    }
    #expect(await first.live.isEmpty)
    let isOver = try await first.read(other.check.id).result != nil
    #expect(isOver == (seconds > 180))
  }

  @Test func `a state with another key or other settings is rejected`() async throws {
    let fixture = try FailoverFixture()
    let first = try fixture.server()
    let made = try await first.made()
    _ = try await fixture.settle(made, at: first)
    try await first.saveSnapshots()
    let stranger = try #require(MasterKeyring(key: [UInt8](repeating: 8, count: 32)))
    #expect(try await fixture.sendFrame(0, made, at: fixture.server(keyring: stranger)).state == "positioning")
    #expect(try await fixture.sendFrame(0, made, at: fixture.server { $0.passive = .off }).state == "positioning")
    #expect(try await fixture.sendFrame(0, made, at: fixture.server()).state == "tracking")
  }

  @Test func `stored state is encrypted, compact and written only when changed`() async throws {
    let fixture = try FailoverFixture()
    let server = try fixture.server()
    let made = try await server.made()
    for number in 0..<100 {
      let step = try await fixture.sendFrame(Float(number % 5) - 2, made, at: server, after: .milliseconds(30))
      if step.isOver { break }
    }
    let draft = try #require(await server.live[made.check.id]?.draft(at: fixture.clock.now(), always: false))
    #expect((500..<24_000).contains(draft.state.count))
    try await server.saveSnapshots()
    #expect(
      await server.live[made.check.id]?.draft(at: fixture.clock.now(), always: false) == nil,
      "nothing has changed since")
    let store = try SQLiteStore(path: fixture.path)
    let kept = try #require(await store.acquire(made.check.id, at: fixture.clock.timeOfDay())?.hold?.state)
    #expect(kept.count == draft.state.count + 28 && kept != draft.state)
    let other = try #require(CheckID("chk_other"))
    #expect(
      fixture.keyring.openState(kept, of: made.check.id) != nil && fixture.keyring.openState(kept, of: other) == nil)
  }
}
