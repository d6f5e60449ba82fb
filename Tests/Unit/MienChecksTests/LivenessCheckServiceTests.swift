import MienTestGenerators
import Foundation
import MienLiveness
import MienCore
import MienPlatform
import MienChecks
import MienStore
import MienTestSupport
import Testing

/// Service with a real store, a manual clock and a scripted tracker.
private struct Fixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let store: FailingStore
  let service: LivenessCheckService

  init(_ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-service-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = FailingStore(try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path))
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: store, observer: ScriptedObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 1))
  }

  /// Plays yaw angles at 10 frames per second, after holding still until tracking starts. Returns the steps.
  func play(_ yaws: [Float], _ id: CheckID, _ token: String, faces: Int = 1) async throws -> [CheckStep] {
    var steps: [CheckStep] = []
    var rest = yaws[...]
    for mark in 0..<400 {
      let tracking = steps.last?.state == "tracking"
      guard let yaw = tracking ? rest.popFirst() : 0 else { break }
      clock.advance(by: .milliseconds(100))
      steps.append(
        try await service.processFrame(
          at: ScriptedObserver.frame(yaw: yaw, faces: faces, mark: mark + (id.text.hashValue >> 14) * 1000), of: id,
          token: token, client: "page", capturedAt: nil))
      if steps.last?.isOver == true { break }
    }
    return steps
  }
}

private let leftTurn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]

@Suite struct `Liveness check service` {
  @Test func `a turn to the requested side passes and the result is stored with its evidence`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
    let steps = try await fixture.play(leftTurn, check.id, token)
    let last = try #require(steps.last)
    #expect(last.state == "passed")
    #expect(steps.map(\.state).contains("instructing"))
    #expect(steps.first?.side == nil, "the side is not revealed before the turn")
    #expect(steps.first { $0.state == "instructing" }?.side == .subjectLeft)
    let kept = try #require(try await fixture.service.read(check.id).result)
    #expect(kept.outcome == .passed && kept.source == .observed && kept.basis == .frames)
    #expect(kept.reason == nil)
    #expect(kept.outboundPath.max() ?? 0 > 25 && kept.returnPath.last ?? 99 < 5)
    #expect(kept.settings == ServiceSettings().version && ServiceSettings().version.contains(TaskStateMachine.version))
    #expect(kept.findings.prefix(2).map(\.check) == ["depth-gate", "head-turn"])
    #expect(
      kept.findings.dropFirst(2).map(\.check).contains("frames-repeated"), "passive signals are reported with them")
  }

  @Test func `a turn with too few frames does not pass and can be repeated`() async throws {
    let fixture = try Fixture { $0.passive = .refuse }
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, attempts: 2)
    let first = try #require(try await fixture.play(leftTurn, check.id, token).last)
    #expect(first.attempt?.lastReason == "too-few-frames" && !first.isOver)
    var last: CheckStep?
    var rest = leftTurn[...]
    for mark in 1000..<1400 where last?.isOver != true {
      let yaw: Float = last?.state == "tracking" ? rest.popFirst() ?? 0 : 0
      fixture.clock.advance(by: .milliseconds(100))
      last = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: last?.side == .subjectRight ? -yaw : yaw, mark: mark), of: check.id,
        token: token, client: "page", capturedAt: nil)
    }
    #expect(last?.state == "failed" && last?.reason == "too-few-frames")
    let kept = try #require(try await fixture.service.read(check.id).result)
    #expect(kept.outcome == .failed && kept.reason == "too-few-frames")
    #expect(kept.findings.contains { $0.check == "movement-stillness" && $0.result == .notAssessed(.tooFewFrames(0)) })
  }

  @Test func `the other side fails as the wrong direction`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: .subjectRight, person: nil, expectsDepth: false, reference: nil)
    let last = try #require(try await fixture.play(leftTurn, check.id, token).last)
    #expect(last.state == "failed" && last.reason == "wrong-direction")
  }

  @Test func `a result is not returned until it is stored`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
    fixture.store.breakDeciding(true)
    let error = await #expect(throws: StoreError.self) { _ = try await fixture.play(leftTurn, check.id, token) }
    #expect(error?.code == .unavailable)
    #expect(try await fixture.service.read(check.id).result == nil)
    // The store still fails: the verdict is still not reported.
    await #expect(throws: StoreError.self) {
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: -1), of: check.id, token: token, client: "page", capturedAt: nil)
    }
    fixture.store.breakDeciding(false)
    let over = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: -2), of: check.id, token: token, client: "page", capturedAt: nil)
    }
    #expect(over?.code == .checkEnded && over?.step?.state == "passed")
    #expect(try await fixture.service.read(check.id).result?.outcome == .passed)
  }

  @Test func `an abandoned check ends by the server's clock`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
    _ = try await fixture.play([0, 10], check.id, token)
    for _ in 0..<3 {
      fixture.clock.advance(by: .seconds(31))
      try await fixture.service.expireAndPurge()
    }
    let result = try #require(try await fixture.service.read(check.id).result)
    #expect(result.outcome != .passed)
    let over = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: -3), of: check.id, token: token, client: "page", capturedAt: nil)
    }
    #expect(over?.code == .checkEnded)
  }

  @Test func `a frame that arrives at the timeout gets the result`() async throws {
    let fixture = try Fixture()
    var endedCount = 0
    for round in 0..<300 {
      let (check, token) = try await fixture.service.create(
        side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
      func send(_ mark: Int) async throws -> CheckStep {
        try await fixture.service.processFrame(
          at: ScriptedObserver.frame(yaw: 0, mark: 2 * round + mark), of: check.id, token: token, client: "page",
          capturedAt: nil)
      }
      _ = try await send(0)
      fixture.clock.advance(by: .seconds(60))
      async let swept: Void = fixture.service.expireAndPurge()
      for _ in 0..<(round % 12) { await Task.yield() }
      var step: CheckStep?
      do {
        step = try await send(1)
      } catch let error as ServiceError {
        // No frame of this check was being processed.
        #expect(error.code == .checkEnded, "round \(round): \(error)")
        step = error.step
        endedCount += 1
      }
      try await swept
      let outcome = try #require(try await fixture.service.read(check.id).result?.outcome)
      #expect(outcome != .passed && step?.state == outcome.rawValue, "round \(round)")
    }
    #expect(endedCount > 10)
  }

  @Test func `a started check that times out is reported with its result and counted`() async throws {
    let fixture = try Fixture {
      $0.lifetime = .seconds(20)
      $0.lockout = LockoutSettings(failures: 1)
    }
    let person = try #require(PersonID("anna"))
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: person, expectsDepth: false, reference: nil)
    for second in 0..<19 {
      // A face that is visible only every few seconds prevents the check from starting tracking.
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, faces: second % 3 == 0 ? 1 : 0, mark: 900 + second), of: check.id,
        token: token,
        client: "page", capturedAt: nil)
      fixture.clock.advance(by: .seconds(1))
      try await fixture.service.expireAndPurge()
    }
    #expect(try await fixture.service.read(check.id).result == nil)
    fixture.clock.advance(by: .seconds(2))
    try await fixture.service.expireAndPurge()
    let result = try #require(try await fixture.service.read(check.id).result)
    #expect(result.outcome == .timedOut && result.reason == "expired" && result.source == .observed)
    #expect(result.frames == 19)
    #expect(result.received?.count == result.frames)
    let locked = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.create(side: nil, person: person, expectsDepth: false, reference: nil)
    }
    #expect(locked?.code == .lockedOut)
  }

  @Test func `a check that was never started expires`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: nil, person: nil, expectsDepth: false, reference: nil)
    fixture.clock.advance(by: .seconds(181))
    let late = await #expect(throws: ServiceError.self) {
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: 1), of: check.id, token: token, client: nil, capturedAt: nil)
    }
    #expect(late?.code == .tokenExpired)
    try await fixture.service.expireAndPurge()
    let result = try #require(try await fixture.service.read(check.id).result)
    #expect(result.outcome == .timedOut && result.reason == "expired" && result.source == .none)
  }

  @Test func `an unreadable check does not block the expiry of others and ends a minute later`() async throws {
    let fixture = try Fixture()
    var checks: [CheckID] = []
    for _ in 0..<3 {
      checks.append(
        try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil).check.id)
      fixture.clock.advance(by: .milliseconds(10))
    }
    fixture.store.damage(checks[0])
    fixture.clock.advance(by: .seconds(181))
    await #expect(throws: StoreError.self, "the failure is logged") {
      try await fixture.service.expireAndPurge()
    }
    #expect(try await fixture.service.read(checks[0]).result == nil)
    for check in checks[1...] { #expect(try await fixture.service.read(check).result?.reason == "expired") }
    fixture.clock.advance(by: .seconds(60))
    await #expect(throws: StoreError.self) { try await fixture.service.expireAndPurge() }
    #expect(try await fixture.service.read(checks[0]).result?.reason == "expired")
    try await fixture.service.expireAndPurge()
  }

  @Test func `several faces prevent an assessment`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
    var steps: [CheckStep] = []
    for mark in 0..<5 {
      fixture.clock.advance(by: .milliseconds(100))
      steps.append(
        try await fixture.service.processFrame(
          at: ScriptedObserver.frame(yaw: 0, faces: 2, mark: mark), of: check.id, token: token, client: nil,
          capturedAt: nil))
    }
    #expect(steps.allSatisfy { $0.state == "positioning" && $0.hints == [.severalFaces] })
  }

  @Test func `tokens are stored as digests only`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    #expect(check.token != SecretDigest(of: token), "the digest of the contained secret is stored")
    #expect("\(check.token)" == "SecretDigest(withheld)")
  }

  @Test func `ids and tokens are unique`() async throws {
    let fixture = try Fixture()
    var seen: Set<String> = []
    for _ in 0..<200 {
      let (check, token) = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
      #expect(seen.insert(check.id.text).inserted && seen.insert(token).inserted)
    }
  }

  @Test func `client observations are marked and timed by their own clock within the tolerance`() async throws {
    let fixture = try Fixture { $0.allowsClaims = true }
    let (check, token) = try await fixture.service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, sources: .claimed)
    let box = FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5)
    var last: CheckStep?
    var time = 0.0
    var rest = leftTurn[...]
    for _ in 0..<200 where last?.isOver != true {
      let yaw = last?.state == "tracking" ? rest.popFirst() ?? 0 : 0
      fixture.clock.advance(by: .milliseconds(100))
      time += 0.1
      let claim = ClientObservation(
        at: try #require(MonotonicInstant(seconds: time)), faceCount: 1, box: box,
        pose: HeadPose(yaw: yaw, pitch: 0, roll: 0),
        blendshapes: nil)
      last = try await fixture.service.claim([claim], of: check.id, token: token, client: "phone")
    }
    #expect(last?.state == "passed")
    let result = try #require(try await fixture.service.read(check.id).result)
    #expect(result.source == .claimed && result.basis == .claimed && result.basis < .frames)
  }

  @Test func `a delayed first frame does not reject later frames as from the future`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    var mark = 4000
    func refusal(_ capturedAt: Double, after wait: Double) async -> ServiceError.Code? {
      fixture.clock.advance(by: .seconds(wait))
      mark += 1
      do {
        _ = try await fixture.service.processFrame(
          at: ScriptedObserver.frame(yaw: 0, mark: mark), of: check.id, token: token, client: "page",
          capturedAt: .seconds(capturedAt))
        return nil
      } catch { return (error as? ServiceError)?.code ?? .internalError }
    }
    #expect(await refusal(0, after: 0) == nil, "captured three seconds ago, as later frames show")
    #expect(await refusal(3.1, after: 0.1) == nil)
    #expect(await refusal(3.2, after: 0.1) == nil)
    #expect(await refusal(3.3, after: 2.5) == .timestampOutOfRange, "late relative to the fastest frame")
    #expect(await refusal(3.1, after: 0) == .outOfOrder)
    #expect(await refusal(5.8, after: 0) == nil)
  }

  @Test func `client timestamps stay relative to the first one and cannot run ahead`() async throws {
    let fixture = try Fixture { $0.allowsClaims = true }
    let (check, token) = try await fixture.service.create(
      side: nil, person: nil, expectsDepth: false, reference: nil, sources: .claimed)
    func claim(at seconds: Double) async throws {
      let claim = ClientObservation(
        at: try #require(MonotonicInstant(seconds: seconds)), faceCount: 1, box: nil,
        pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: nil)
      _ = try await fixture.service.claim([claim], of: check.id, token: token, client: "phone")
    }
    try await claim(at: 0)
    fixture.clock.advance(by: .milliseconds(100))
    let ahead = await #expect(throws: ServiceError.self) { try await claim(at: 3.1) }
    #expect(ahead?.code == .timestampOutOfRange)
  }

  @Test func `one of several concurrent frames is processed and the others are rejected`() async throws {
    let fixture = try Fixture()
    let (check, token) = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    let codes = await withTaskGroup(of: ServiceError.Code?.self) { group in
      for mark in 0..<32 {
        group.addTask {
          do {
            _ = try await fixture.service.processFrame(
              at: ScriptedObserver.frame(yaw: 0, mark: mark), of: check.id, token: token, client: nil, capturedAt: nil)
            return nil
          } catch { return (error as? ServiceError)?.code ?? .internalError }
        }
      }
      var codes: [ServiceError.Code?] = []
      for await code in group { codes.append(code) }
      return codes
    }
    #expect(codes.contains(nil))
    #expect(codes.allSatisfy { $0 == nil || $0 == .frameInFlight })
  }

  @Test func `checks beyond the limit are rejected as busy`() async throws {
    let fixture = try Fixture { $0.maximumLiveChecks = 1 }
    let first = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    let second = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    func send(_ check: (check: CheckRecord, token: String), _ mark: Int) async throws {
      _ = try await fixture.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: mark), of: check.check.id, token: check.token, client: nil,
        capturedAt: nil)
    }
    try await send(first, 1)
    let error = await #expect(throws: ServiceError.self) { try await send(second, 2) }
    #expect(error?.code == .busy)
  }

  @Test func `the test clock conforms to the clock contract`() async throws {
    let clock = ManualClock()
    try await checkServiceClock(clock) { clock.advance(by: $0) }
  }

  @Test func `the scripted tracker conforms to the face tracker contract`() async throws {
    try await checkFaceTracking(ScriptedObserver(), frame: ScriptedObserver.frame(yaw: 3, mark: 0))
  }
}

@Suite struct `Frames shared between checks` {
  @Test func `an image without a face is accepted in any check and a face frame in one only`() async throws {
    let fixture = try Fixture()
    var checks: [(id: CheckID, token: String)] = []
    for _ in 0..<3 {
      let made = try await fixture.service.create(side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
      checks.append((made.check.id, made.token))
    }
    func send(_ frame: [UInt8], _ index: Int) async throws -> CheckStep {
      fixture.clock.advance(by: .milliseconds(100))
      return try await fixture.service.processFrame(
        at: frame, of: checks[index].id, token: checks[index].token, client: "page \(index)", capturedAt: nil)
    }
    let black = ScriptedObserver.frame(yaw: 0, faces: 0, mark: 1)
    for index in 0..<3 { #expect(try await send(black, index).state == "positioning") }
    let face = ScriptedObserver.frame(yaw: 0, mark: 2)
    _ = try await send(face, 0)
    let replayed = await #expect(throws: ServiceError.self) { _ = try await send(face, 1) }
    #expect(replayed?.code == .frameReplayed)
    let padded = await #expect(throws: ServiceError.self) {
      _ = try await send([0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 5, 0xFF, 0xD9, 0], 1)
    }
    #expect(padded?.code == .notAImage)
  }
}
