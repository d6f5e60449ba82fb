import MienTestGenerators
import Foundation
import MienCore
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

private let leftTurn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]

/// Service with a master key, a manual clock and a scripted tracker.
private struct Fixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let store: SQLiteStore
  let service: LivenessCheckService

  init(_ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-sessions-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
    var settings = ServiceSettings.scripted
    settings.defaultAssurance = .basic
    adjust(&settings)
    service = LivenessCheckService(
      store: store, observer: ScriptedObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 1),
      keyring: MasterKeyring(key: [UInt8](repeating: 3, count: 32)))
  }

  func session(audits: Int = 1, token: String? = nil) async throws -> (id: CheckID, token: String, expires: UnixTime) {
    try await service.createLivenessSession(
      CreateSessionOptions(auditImages: audits, requestToken: token, parameters: "audits \(audits)"), by: "MIEN1")
  }

  @discardableResult
  func sendFrame(_ yaw: Float, _ mark: Int, of session: (id: CheckID, token: String, expires: UnixTime)) async throws
    -> CheckStep
  {
    clock.advance(by: .milliseconds(100))
    // Frames of another session are rejected, so each session uses unique marks.
    let own = session.id.text.utf8.reduce(0) { ($0 * 31 + Int($1)) % 1_000_003 }
    return try await service.processFrame(
      at: ScriptedObserver.frame(yaw: yaw, mark: own * 1000 + mark), of: session.id, token: session.token,
      client: "page", capturedAt: nil)
  }

  /// Turns to the requested side, or to the other one.
  func turn(_ session: (id: CheckID, token: String, expires: UnixTime), right: Bool = true) async throws -> CheckStep {
    var rest = leftTurn[...]
    var last: CheckStep?
    for mark in 0..<400 {
      let yaw = last?.state == "tracking" ? rest.popFirst() ?? 0 : 0
      let sign = Float(last?.side?.yawSign ?? 1) * (right ? 1 : -1)
      last = try await sendFrame(yaw * sign, mark, of: session)
      if last?.isOver == true { break }
    }
    return try #require(last)
  }
}

@Suite struct `Liveness sessions` {
  @Test func `a session goes from created to succeeded with only the requested images`() async throws {
    let fixture = try Fixture()
    let session = try await fixture.session(audits: 2)
    #expect(try await fixture.service.livenessResults(session.id).status == .created)
    try await fixture.sendFrame(0, -1, of: session)
    #expect(try await fixture.service.livenessResults(session.id).status == .inProgress)
    #expect(try await fixture.turn(session).state == "passed")
    let results = try await fixture.service.livenessResults(session.id)
    #expect(results.status == .succeeded)
    #expect((50...100).contains(try #require(results.confidence)))
    #expect(results.reference != nil && results.audits.count == 2)
    let received = try #require(try await fixture.store.check(session.id)?.result?.received)
    #expect(received.count > 10)
  }

  @Test func `a failed session has no reference image and a low confidence`() async throws {
    let fixture = try Fixture()
    let session = try await fixture.session(audits: 0)
    #expect(try await fixture.turn(session, right: false).state == "failed")
    let results = try await fixture.service.livenessResults(session.id)
    #expect(results.status == .failed && results.confidence == 0)
    #expect(results.reference == nil && results.audits.isEmpty)
  }

  @Test func `an unfinished session expires by the clock and stays expired`() async throws {
    let fixture = try Fixture()
    let session = try await fixture.session()
    fixture.clock.advance(by: .seconds(181))
    #expect(try await fixture.service.livenessResults(session.id).status == .expired)
    try await fixture.service.expireAndPurge()
    let results = try await fixture.service.livenessResults(session.id)
    #expect(results.status == .expired && results.confidence == nil)
  }

  @Test func `images are deleted at the end of their retention and the result is kept`() async throws {
    let fixture = try Fixture { $0.imageLifetime = .seconds(60) }
    let session = try await fixture.session()
    _ = try await fixture.turn(session)
    fixture.clock.advance(by: .seconds(59))
    try await fixture.service.expireAndPurge()
    #expect(try await fixture.service.livenessResults(session.id).reference != nil)
    fixture.clock.advance(by: .seconds(2))
    try await fixture.service.expireAndPurge()
    let results = try await fixture.service.livenessResults(session.id)
    #expect(results.status == .succeeded && results.reference == nil && results.audits.isEmpty)
  }

  @Test func `the number of sessions with images is limited`() async throws {
    let fixture = try Fixture { $0.maximumChecksWithImages = 1 }
    let (first, second) = (try await fixture.session(), try await fixture.session())
    try await fixture.sendFrame(0, 1, of: first)
    let error = await #expect(throws: ServiceError.self) { try await fixture.sendFrame(0, 2, of: second) }
    #expect(error?.code == .busy)
    let (plain, token) = try await fixture.service.create(side: nil, person: nil, expectsDepth: false, reference: nil)
    _ = try await fixture.service.processFrame(
      at: ScriptedObserver.frame(yaw: 0, mark: 3), of: plain.id, token: token, client: nil, capturedAt: nil)
  }

  @Test func `a session deleted while running ends and leaves nothing behind`() async throws {
    let fixture = try Fixture()
    let session = try await fixture.session()
    try await fixture.sendFrame(0, 1, of: session)
    try await fixture.service.delete(session.id)
    let error = await #expect(throws: ServiceError.self) { try await fixture.sendFrame(0, 2, of: session) }
    #expect(error?.code == .notFound)
    let fault = await #expect(throws: AWSError.self) { _ = try await fixture.service.livenessResults(session.id) }
    #expect(fault?.kind == .sessionNotFound)
    fixture.clock.advance(by: .seconds(200))
    try await fixture.service.expireAndPurge()
    #expect(try await fixture.store.check(session.id) == nil)
  }

  @Test func `five failures lock a person out of new and existing checks`() async throws {
    let fixture = try Fixture()
    let mallory = try #require(PersonID("mallory"))
    func check() async throws -> (id: CheckID, token: String, expires: UnixTime) {
      let made = try await fixture.service.create(side: nil, person: mallory, expectsDepth: false, reference: nil)
      return (made.check.id, made.token, made.check.expires)
    }
    let early = try await check()
    for _ in 0..<5 { #expect(try await fixture.turn(try await check(), right: false).state == "failed") }
    let refused = await #expect(throws: ServiceError.self) { _ = try await check() }
    #expect(refused?.code == .lockedOut && refused?.retryAfter == 1800)
    let late = await #expect(throws: ServiceError.self) { try await fixture.sendFrame(0, 9, of: early) }
    #expect(late?.code == .lockedOut)
    _ = try await fixture.service.create(side: nil, person: PersonID("alice"), expectsDepth: false, reference: nil)
    fixture.clock.advance(by: .seconds(1801))
    _ = try await check()
  }

  @Test func `sessions and access keys require encryption`() async throws {
    let service = LivenessCheckService(
      store: try Fixture().store, observer: ScriptedObserver(), clock: ManualClock(), settings: .scripted,
      generator: SplitMixGenerator(seed: 1))
    await #expect(throws: AWSError.self) {
      _ = try await service.createLivenessSession(
        CreateSessionOptions(auditImages: 0, requestToken: nil, parameters: ""), by: "MIEN1")
    }
  }
}
