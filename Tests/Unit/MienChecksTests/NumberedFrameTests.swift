import MienTestGenerators
import Foundation
import MienChecks
import MienCore
import MienLiveSessions
import MienLiveness
import MienPlatform
import MienStore
import MienTestSupport
import Testing

/// Frames that arrive as over a link: captured at one time, arrived at another, several under way.
private struct Link {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let service: LivenessCheckService
  let check: CheckRecord
  let token: String

  init(_ adjust: (inout ServiceSettings) -> Void = { _ in }) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-frames-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path), observer: ScriptedObserver(),
      clock: clock, settings: settings, generator: SplitMixGenerator(seed: 1))
    (check, token) = try await service.create(side: .subjectLeft, person: nil, expectsDepth: false, reference: nil)
  }

  @discardableResult
  func send(
    _ number: Int64?, yaw: Float = 0, mark: Int? = nil, client: String = "page", capturedAt: Interval?
  ) async throws -> CheckStep {
    try await service.processFrame(
      at: ScriptedObserver.frame(yaw: yaw, mark: mark ?? 9000 + Int(number ?? 0)), of: check.id, token: token,
      client: client, capturedAt: capturedAt, number: number)
  }

  /// Waits until this many frames wait for their turn.
  func waiting(_ count: Int) async {
    while await service.live[check.id]?.intake.waitingFrames != count { await Task.yield() }
  }

  func refusal(
    _ number: Int64?, mark: Int? = nil, client: String = "page", capturedAt: Interval?
  ) async -> ServiceError.Code? {
    do {
      try await send(number, mark: mark, client: client, capturedAt: capturedAt)
      return nil
    } catch { return (error as? ServiceError)?.code ?? .internalError }
  }
}

@Suite struct `Numbered frames` {
  /// A person at 15 frames per second who turns when the prompt reaches them, over a link with a round trip in seconds
  /// and frames that arrive in bursts. All times are simulated.
  private func turn(roundTrip: Double, burst: Int = 1) async throws -> CheckStep {
    let link = try await Link()
    let rate = 15.0
    var (steps, turnAt, shown): ([(at: Double, step: CheckStep)], Double?, CheckStep?) = ([], nil, nil)
    var held: [(number: Int64, at: Double, yaw: Float)] = []
    var now = 1.0
    for index in 0..<400 {
      // The camera's clock; half of the round trip later the frame is there, with the others of its burst.
      let captured = Double(index) / rate
      while let first = steps.first, first.at <= captured {
        shown = steps.removeFirst().step
        if shown?.state == "tracking", turnAt == nil { turnAt = captured + 0.4 }
      }
      let since = turnAt.map { captured - $0 } ?? -1
      let yaw: Float = since < 0 || since > 0.8 ? 0 : 38 * Float(sin(.pi * since / 0.8))
      held.append((Int64(index), captured, yaw))
      guard held.count == burst else { continue }
      let arrival = 2 + captured + roundTrip / 2
      if arrival > now {
        link.clock.advance(by: .seconds(arrival - now))
        now = arrival
      }
      for frame in held {
        let step = try await link.send(
          frame.number, yaw: frame.yaw, mark: Int(frame.number), capturedAt: .seconds(frame.at))
        steps.append((captured + roundTrip, step))
        if step.isOver { return step }
      }
      held = []
    }
    return try #require(shown)
  }

  @Test(arguments: [0.065, 0.3, 0.6]) func `a genuine turn passes at any round trip`(_ roundTrip: Double) async throws {
    #expect(try await turn(roundTrip: roundTrip).state == "passed")
  }

  @Test func `a genuine turn passes when its frames arrive in bursts`() async throws {
    #expect(try await turn(roundTrip: 0.3, burst: 5).state == "passed")
  }

  @Test func `a frame that arrives early waits for its predecessor`() async throws {
    let link = try await Link()
    try await link.send(1, capturedAt: .zero)
    link.clock.advance(by: .milliseconds(200))
    async let early = link.refusal(3, capturedAt: .milliseconds(130))
    await link.waiting(1)
    #expect(await link.refusal(2, capturedAt: .milliseconds(66)) == nil)
    #expect(await early == nil, "in order: an earlier capture time would be refused")
    #expect(await link.refusal(4, capturedAt: .milliseconds(190)) == nil)
  }

  @Test func `a gap is passed over after a moment and its late frame is refused`() async throws {
    let link = try await Link()
    try await link.send(1, capturedAt: .zero)
    link.clock.advance(by: .milliseconds(200))
    async let early = link.refusal(3, capturedAt: .milliseconds(130))
    await link.waiting(1)
    link.clock.advance(by: .milliseconds(700))
    #expect(await early == nil)
    #expect(await link.refusal(2, capturedAt: .milliseconds(66)) == .outOfOrder)
    #expect(await link.refusal(4, capturedAt: .milliseconds(850)) == nil)
  }

  @Test func `frames that wait for a missing one are analyzed in order once it comes`() async throws {
    let link = try await Link()
    try await link.send(1, capturedAt: .zero)
    link.clock.advance(by: .milliseconds(400))
    async let third = link.refusal(3, capturedAt: .milliseconds(130))
    async let fourth = link.refusal(4, capturedAt: .milliseconds(200))
    async let fifth = link.refusal(5, capturedAt: .milliseconds(260))
    await link.waiting(3)
    await #expect(throws: ServiceError.self) { try await link.service.expectRoom(link.check.id, numbered: false) }
    #expect(await link.refusal(2, capturedAt: .milliseconds(66)) == nil)
    #expect(await third == nil)
    #expect(await fourth == nil)
    #expect(await fifth == nil)
  }

  @Test func `a repeated number is refused unless it is the same frame`() async throws {
    let link = try await Link()
    try await link.send(1, capturedAt: .zero)
    link.clock.advance(by: .milliseconds(66))
    try await link.send(2, capturedAt: .milliseconds(66))
    #expect(await link.refusal(2, mark: 1, capturedAt: .milliseconds(70)) == .outOfOrder)
    #expect(await link.refusal(2, capturedAt: .milliseconds(66)) == nil, "the response to it may have been lost")
    #expect(await link.refusal(2, client: "another", capturedAt: .milliseconds(66)) == .secondClient)
    #expect(await link.refusal(3, client: "another", capturedAt: .milliseconds(70)) == .secondClient)
    #expect(await link.refusal(3, capturedAt: .milliseconds(70)) == nil, "another client uses up no number")
  }

  @Test func `capture times that run backward, jump or lie are refused, and later frames are accepted`() async throws {
    let link = try await Link()
    try await link.send(1, capturedAt: .seconds(10))
    link.clock.advance(by: .milliseconds(100))
    #expect(await link.refusal(2, capturedAt: .seconds(9)) == .outOfOrder)
    #expect(await link.refusal(3, capturedAt: .seconds(3600)) == .timestampOutOfRange)
    #expect(await link.refusal(4, capturedAt: nil) == .badValue)
    link.clock.advance(by: .milliseconds(100))
    #expect(await link.refusal(5, capturedAt: .seconds(10.2)) == nil)
    link.clock.advance(by: .seconds(3))
    #expect(await link.refusal(6, capturedAt: .seconds(10.3)) == .timestampOutOfRange, "three seconds late")
    #expect(await link.refusal(7, capturedAt: .seconds(13.2)) == nil)
  }

  @Test func `frames after the verdict get the verdict`() async throws {
    let link = try await Link()
    var (last, number): (CheckStep?, Int64) = (nil, 0)
    var yaws: [Float] = [0, -10, -20, -30, -40]
    while last?.isOver != true, number < 400 {
      link.clock.advance(by: .milliseconds(100))
      let yaw = last?.state == "tracking" && !yaws.isEmpty ? yaws.removeFirst() : 0
      last = try await link.send(number, yaw: yaw, capturedAt: .milliseconds(100 * Double(number)))
      number += 1
    }
    #expect(last?.reason == "wrong-direction")
    for number in [number, number + 1] {
      #expect(await link.refusal(number, capturedAt: .milliseconds(100 * Double(number))) == .checkEnded)
    }
  }
}
