import MienTestGenerators
import Foundation
import MienCore
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

/// Service with a temporary store.
private struct Fixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let path: String
  let service: LivenessCheckService

  init(_ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-sources-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: try SQLiteStore(path: path), observer: ScriptedObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 5), keyring: MasterKeyring(key: [UInt8](repeating: 3, count: 32)))
  }

  func create(
    _ sources: CheckSources = .observed, side: Side? = .subjectLeft, audits: Int? = nil, clip: Bool = false
  ) async throws -> (check: CheckRecord, token: String) {
    try await service.create(
      side: side, person: nil, expectsDepth: false, reference: nil, attempts: 1, auditImages: audits, keepsClip: clip,
      sources: sources)
  }

  func claim(_ made: (check: CheckRecord, token: String)) async -> ServiceError.Code? {
    let claim = ClientObservation(
      at: .zero, faceCount: 1, box: nil, pose: HeadPose(yaw: 0, pitch: 0, roll: 0), blendshapes: nil)
    do {
      _ = try await service.claim([claim], of: made.check.id, token: made.token, client: "phone")
      return nil
    } catch { return (error as? ServiceError)?.code ?? .internalError }
  }
}

@Suite struct `Check sources` {
  @Test func `client observations require permission by the operator and the check`() async throws {
    let shipped = try Fixture()
    #expect(await shipped.claim(try await shipped.create()) == .sourceNotAllowed)
    let refused = await #expect(throws: ServiceError.self) { try await shipped.create(.claimed) }
    #expect(refused?.code == .sourceNotAllowed && refused?.reason.contains("--allow-claimed-observations") == true)
    let open = try Fixture { $0.allowsClaims = true }
    #expect(await open.claim(try await open.create()) == .sourceNotAllowed)
    #expect(await open.claim(try await open.create(.claimed)) == nil)
  }

  @Test func `compatibility sessions reject client observations regardless of configuration`() async throws {
    let fixture = try Fixture { $0.allowsClaims = true }
    let aws = try await fixture.service.createLivenessSession(
      CreateSessionOptions(auditImages: 0, requestToken: nil, parameters: ""), by: "MIEN1")
    let awsCheck = try await fixture.service.read(aws.id).record
    let other = try await fixture.service.createSession(reference: nil)
    #expect(awsCheck.sources == .observed && other.sources == .observed && !awsCheck.takesScan)
    #expect(await fixture.claim((awsCheck, aws.token)) == .sourceNotAllowed)
    #expect(await fixture.claim((other, try await fixture.service.token(of: other.id).token)) == .sourceNotAllowed)
    #expect(awsCheck.tasks?.kinds == ["head-path"] && other.tasks?.kinds == ["head-path"])
    #expect(awsCheck.assurance == .standard && other.bitsOfChoice >= 13)
  }

  @Test func `frames cannot be kept for a check that needs none`() async throws {
    let fixture = try Fixture { $0.allowsClaims = true }
    for sources in [CheckSources.claimed, [.observed, .claimed], [.observed, .depth]] {
      let refused = await #expect(throws: ServiceError.self) { try await fixture.create(sources, audits: 0) }
      #expect(refused?.code == .badValue)
    }
  }

  @Test func `a check with images does not pass without a face image`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(audits: 0)
    let turn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]
    var (rest, last) = (turn[...], CheckStep?.none)
    for mark in 0..<400 where last?.isOver != true {
      let yaw = last?.state == "tracking" ? rest.popFirst() ?? 0 : 0
      fixture.clock.advance(by: .milliseconds(100))
      // Exceeds the maximum size of stored images.
      let frame = ScriptedObserver.frame(yaw: yaw, mark: mark) + [UInt8](repeating: 32, count: 201 << 10)
      last = try await fixture.service.processFrame(
        at: frame, of: made.check.id, token: made.token, client: "page", capturedAt: nil)
    }
    #expect(last?.state == "failed" && last?.reason == VerdictPolicy.noFaceImage)
  }

  @Test func `a check without options has standard assurance`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(side: nil).check
    #expect(made.tasks?.kinds == ["head-path"])
    #expect(made.assurance == .standard && made.bitsOfChoice >= 13)
    #expect(try await fixture.create(side: .subjectRight).check.tasks == nil)
    let plain = try Fixture { $0.defaultAssurance = .basic }
    #expect(try await plain.create(side: nil).check.tasks == nil)
  }

  @Test func `source names are parsed and written and others are rejected`() throws {
    #expect(try CheckSources(names: ["depth", "observed"]).names == ["observed", "depth"])
    #expect(try CheckSources(names: ["compared", "observed"]).names == ["observed", "compared"])
    for wrong in [
      [], ["depth"], ["frames"], ["claimed", "claimed"], ["compared"], ["depth", "compared"],
      ["observed", "claimed", "compared"],
    ] {
      #expect(throws: ServiceError.self) { try CheckSources(names: wrong) }
    }
    #expect(CheckSources(stored: 0) == nil && CheckSources(stored: 16) == nil && CheckSources(stored: 9) != nil)
    #expect(VerdictBasis.none < .claimed && VerdictBasis.claimed < .depth && VerdictBasis.depth < .frames)
  }
}
