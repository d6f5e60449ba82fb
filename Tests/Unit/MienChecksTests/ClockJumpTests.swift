import MienTestGenerators
import Foundation
import MienChecks
import MienCore
import MienPlatform
import MienSecurity
import MienStore
import MienTestSupport
import Testing

/// Servers on one database whose clocks are set by hours, together or one alone, while the monotonic time goes on.
private struct ClockJumpFixture {
  let clocks = [
    ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000)),
    ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000)),
  ]
  let servers: [LivenessCheckService]

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-clocks-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appendingPathComponent("mien.sqlite").path
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32)))
    var generator = SplitMixGenerator(seed: 99)
    let tokens = SessionTokens(using: &generator)
    servers = try clocks.enumerated().map { number, clock in
      LivenessCheckService(
        store: try SQLiteStore(path: path), observer: ScriptedObserver(), clock: clock, settings: .scripted,
        generator: SplitMixGenerator(seed: UInt64(number)), keyring: keyring, tokens: tokens)
    }
  }

  func pass(_ interval: Interval) { for clock in clocks { clock.advance(by: interval) } }

  /// Turns the head at a server until the check is over, and sets the clocks in the middle of the turn.
  func perform(
    _ made: (check: CheckRecord, token: String), at server: Int = 0, direction: Float = 1, mark: Int = 0,
    inTheMiddle jump: () -> Void = {}
  ) async throws -> CheckStep? {
    var (last, turn): (CheckStep?, ArraySlice<Float>) = (nil, [0, 6, 14, 22, 30, 24, 15, 8, 2, 0])
    for frame in 0..<400 where last?.isOver != true {
      let yaw = last?.state == "tracking" ? turn.popFirst() ?? 0 : 0
      if turn.count == 5, yaw == 30 { jump() }
      pass(.milliseconds(100))
      last = try await servers[server].processFrame(
        at: ScriptedObserver.frame(yaw: yaw * direction, mark: mark + frame), of: made.check.id, token: made.token,
        client: "page", capturedAt: nil)
    }
    return last
  }

  func create(at server: Int = 0, person: String? = nil) async throws -> (check: CheckRecord, token: String) {
    try await servers[server].create(
      side: .subjectLeft, person: person.flatMap { PersonID($0) }, expectsDepth: false, reference: nil)
  }
}

@Suite struct `Clocks that jump` {
  @Test(arguments: [-24.0, -6, -0.5]) func `a check continues when the clock is set back`(hours: Double) async throws {
    let fixture = try ClockJumpFixture()
    let made = try await fixture.create()
    let last = try await fixture.perform(made) {
      for clock in fixture.clocks { clock.jump(by: .seconds(hours * 3600)) }
    }
    #expect(last?.state == "passed")
    #expect(try await fixture.servers[1].read(made.check.id).result?.outcome == .passed)
  }

  @Test(arguments: [0.5, 6, 24]) func `a check does not pass after the clock was set past its end`(hours: Double)
    async throws
  {
    let fixture = try ClockJumpFixture()
    let made = try await fixture.create()
    var reply: Result<CheckStep?, any Error> = .success(nil)
    do {
      reply = .success(
        try await fixture.perform(made) { for clock in fixture.clocks { clock.jump(by: .seconds(hours * 3600)) } })
    } catch { reply = .failure(error) }
    if case .success(let step) = reply { #expect(step?.state != "passed") }
    for server in fixture.servers { try await server.expireAndPurge() }
    #expect(try await fixture.servers[1].read(made.check.id).result?.outcome != .passed)
    // The next check is not affected.
    #expect(try await fixture.perform(fixture.create(), mark: 1000)?.state == "passed")
  }

  @Test(arguments: [-6.0, 6]) func `a server with a wrong clock decides no check of another server`(hours: Double)
    async throws
  {
    let fixture = try ClockJumpFixture()
    let made = try await fixture.create()
    fixture.clocks[1].jump(by: .seconds(hours * 3600))
    let last = try await fixture.perform(made)
    #expect(last?.state == "passed")
    try await fixture.servers[1].expireAndPurge()
    #expect(try await fixture.servers[0].read(made.check.id).result?.outcome == .passed)
  }

  @Test func `a clock that is set back locks nobody out for hours`() async throws {
    let fixture = try ClockJumpFixture()
    for number in 0..<5 {
      let made = try await fixture.create(person: "ada")
      #expect(try await fixture.perform(made, direction: -1, mark: number * 1000)?.state == "failed")
    }
    let locked = await #expect(throws: ServiceError.self) { _ = try await fixture.create(at: 1, person: "ada") }
    #expect(locked?.code == .lockedOut && locked?.retryAfter ?? 9999 <= 1800)
    for clock in fixture.clocks { clock.jump(by: .seconds(-6 * 3600)) }
    _ = try await fixture.create(person: "ada")
    for clock in fixture.clocks { clock.jump(by: .seconds(12 * 3600)) }
    _ = try await fixture.create(at: 1, person: "ada")
  }
}
