import MienTestGenerators
import Foundation
import MienLiveness
import MienCore
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform

/// Writer that stores recorded frames in memory; its clips are the concatenated frames.
private actor MemoryFrameLogs: FrameLogWriter {
  private var kept: [CheckID: [[UInt8]]] = [:]
  private let isBroken: Bool

  init(broken: Bool = false) { isBroken = broken }

  func record(_ frame: EncodedFrame, of check: CheckID) throws {
    if isBroken { throw FaceTrackingError(.busy, reason: "full") }
    kept[check, default: []].append(frame.bytes)
  }
  func encodedClip(_ check: CheckID) throws -> [UInt8] {
    guard let frames = kept[check] else { throw FaceTrackingError(.busy, reason: "none") }
    return frames.flatMap { $0 }
  }
  func discard(_ check: CheckID) { kept[check] = nil }
  func frameLogs() -> [CheckID] { Array(kept.keys) }
}

private struct Fixture {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let store: SQLiteStore
  let frameLogs: MemoryFrameLogs
  let service: LivenessCheckService

  init(broken: Bool = false, _ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-attempts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
    frameLogs = MemoryFrameLogs(broken: broken)
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: store, observer: ScriptedObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 1),
      recorder: frameLogs)
  }

  /// Performs a check at 10 frames per second, turning to the requested side only in attempt `rightAttempt`.
  func play(_ made: (check: CheckRecord, token: String), rightIn rightAttempt: Int?) async throws -> [CheckStep] {
    let turn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]
    var steps: [CheckStep] = []
    var (rest, attempt) = (turn[...], 1)
    for mark in 0..<600 {
      if let number = steps.last?.attempt?.number, number != attempt { (rest, attempt) = (turn[...], number) }
      var yaw: Float = 0
      if let last = steps.last, last.state == "tracking" {
        let sign: Float = (last.side == .subjectLeft) == (rightAttempt == attempt) ? 1 : -1
        yaw = (rest.popFirst() ?? 0) * sign
      }
      clock.advance(by: .milliseconds(100))
      steps.append(
        try await service.processFrame(
          at: ScriptedObserver.frame(yaw: yaw, mark: mark + (made.check.id.text.hashValue >> 14) * 1000),
          of: made.check.id, token: made.token, client: "page", capturedAt: nil))
      if steps.last?.isOver == true { break }
    }
    return steps
  }

  func create(
    attempts: Int? = 1, images: Int? = nil, clip: Bool = false, tasks: [TaskOptions]? = nil
  ) async throws -> (check: CheckRecord, token: String) {
    try await service.create(
      side: tasks == nil ? .subjectLeft : nil, person: nil, expectsDepth: false, reference: nil, tasks: tasks,
      attempts: attempts, auditImages: images, keepsClip: clip)
  }

  /// Sends frames at 10 per second until the check is over or `count` frames are sent; `faces` returns the number of
  /// faces in the next one, and nil to repeat the last frame.
  func show(
    _ made: (check: CheckRecord, token: String), for count: Int, mark: Int = 0,
    faces: (CheckStep?, Int) -> Int?
  ) async throws -> [CheckStep] {
    var steps: [CheckStep] = []
    var frame = ScriptedObserver.frame(yaw: 0, mark: 0)
    for index in 0..<count where steps.last?.isOver != true {
      if let number = faces(steps.last, index) {
        frame = ScriptedObserver.frame(yaw: 0, faces: number, mark: number == 0 ? 0 : 100_000 + mark * 10_000 + index)
      }
      clock.advance(by: .milliseconds(100))
      steps.append(
        try await service.processFrame(
          at: frame, of: made.check.id, token: made.token, client: "page", capturedAt: nil))
    }
    return steps
  }
}

@Suite struct `Check attempts` {
  @Test func `a failed attempt can be repeated and the result lists every attempt`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(attempts: 3)
    let steps = try await fixture.play(made, rightIn: 3)
    #expect(steps.last?.state == "passed")
    #expect(Set(steps.compactMap(\.attempt?.number)) == [1, 2, 3] && steps.allSatisfy { $0.attempt?.count == 3 })
    #expect(steps.first?.attempt?.lastReason == nil && steps.last?.attempt?.lastReason == "wrong-direction")
    #expect(steps.filter(\.isOver).count == 1)
    let result = try #require(try await fixture.service.read(made.check.id).result)
    #expect(
      result.outcome == .passed && result.previousAttempts.map(\.reason) == ["wrong-direction", "wrong-direction"])
    #expect(result.received?.count == steps.count, "the chain holds the frames of all attempts")
  }

  @Test func `the check ends after its last attempt and counts once for the lockout`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(attempts: 2)
    let steps = try await fixture.play(made, rightIn: nil)
    #expect(steps.last?.state == "failed" && steps.last?.reason == "wrong-direction")
    let result = try #require(try await fixture.service.read(made.check.id).result)
    #expect(result.outcome == .failed && result.previousAttempts.count == 1)
  }

  @Test func `a check with a single attempt reports no attempts`() async throws {
    let fixture = try Fixture()
    let steps = try await fixture.play(try await fixture.create(), rightIn: nil)
    #expect(steps.last?.state == "failed" && steps.allSatisfy { $0.attempt == nil })
  }

  @Test func `each attempt has new random tasks`() async throws {
    let fixture = try Fixture()
    var sides: Set<Side> = []
    for _ in 0..<12 {
      let made = try await fixture.create(attempts: 2)
      let steps = try await fixture.play(made, rightIn: 2)
      let asked = Set(steps.filter { $0.attempt?.number == 2 }.compactMap(\.side))
      sides.formUnion(asked)
      let result = try #require(try await fixture.service.read(made.check.id).result)
      #expect(asked == [result.side ?? made.check.side], "the result names the side of the attempt that decided")
    }
    #expect(sides == [.subjectLeft, .subjectRight])
  }

  @Test(arguments: [0, -1, 6, Int.max, Int.min]) func `an invalid number of attempts is rejected`(count: Int)
    async throws
  {
    let fixture = try Fixture()
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.create(attempts: count) }
    #expect(error?.code == .badValue)
  }
}

@Suite struct `Attempts by default` {
  @Test func `losing the face begins the check again, twice, with the same side and without counting`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(attempts: nil)
    // The face leaves for a second whenever the turn is tracked.
    var framesWithoutFace = 0
    let steps = try await fixture.show(made, for: 900) { step, _ in
      if step?.state == "tracking", framesWithoutFace == 0 { framesWithoutFace = 10 }
      framesWithoutFace -= framesWithoutFace > 0 ? 1 : 0
      return framesWithoutFace > 0 ? 0 : 1
    }
    #expect(Set(steps.compactMap(\.attempt?.number)) == [1, 2, 3])
    #expect(steps.last?.state == "failed" && steps.last?.reason == "face-lost")
    let result = try #require(try await fixture.service.read(made.check.id).result)
    #expect(
      result.previousAttempts.map(\.outcome) == ["interrupted", "interrupted", "failed", "failed"])
    #expect(Set(steps.compactMap(\.side)) == [.subjectLeft], "a recording of one side does not pass with another draw")
    #expect(result.feedback == [.faceNotVisible])
  }

  @Test func `a wrong turn ends the check and a missing turn does not`() async throws {
    let fixture = try Fixture()
    let wrong = try await fixture.create(attempts: nil)
    let steps = try await fixture.play(wrong, rightIn: nil)
    #expect(steps.last?.reason == "wrong-direction" && steps.allSatisfy { $0.attempt?.number == 1 })
    let still = try await fixture.create(attempts: nil)
    let unturned = try await fixture.show(still, for: 500, mark: 1) { _, _ in 1 }
    #expect(unturned.last?.state == "timed-out" && Set(unturned.compactMap(\.attempt?.number)) == [1, 2, 3])
  }

  @Test func `nobody in view uses up no attempt and ends the check after half a minute`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(attempts: nil)
    let steps = try await fixture.show(made, for: 400) { _, _ in 0 }
    #expect(steps.last?.reason == "no-face" && steps.count > 300 && steps.count < 310)
    #expect(try await fixture.service.read(made.check.id).result?.previousAttempts == [])
    // The same image of a covered camera in another check.
    let next = try await fixture.create(attempts: nil)
    #expect(try await fixture.show(next, for: 400) { _, _ in 0 }.last?.reason == "no-face")
  }

  @Test func `a frozen camera ends the check and its frame is refused in another one`() async throws {
    let fixture = try Fixture()
    let made = try await fixture.create(attempts: nil)
    let steps = try await fixture.show(made, for: 400) { _, index in index == 0 ? 1 : nil }
    #expect(steps.last?.reason == "frozen-camera" && steps.count < 70)
    #expect(try await fixture.service.read(made.check.id).result?.feedback == [.lowVideoQualityDetected])
    let next = try await fixture.create(attempts: nil)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await fixture.show(next, for: 1) { _, index in index == 0 ? 1 : nil }
    }
    #expect(error?.code == .frameReplayed)
  }

  @Test(arguments: [
    "wrong-direction", "wrong-answer", "wrong-motion", "off-path", "too-early", "static", "changed-face",
  ])
  func `a guess or a cut is followed by another attempt only if the integrator requests attempts`(reason: String) {
    #expect(AttemptPolicy(requested: nil).consequence(of: reason, after: []) == .end)
    #expect(AttemptPolicy(requested: 2).consequence(of: reason, after: []) == .nextAttempt)
    #expect(AttemptPolicy(requested: 1).consequence(of: reason, after: []) == .end)
  }

  @Test(arguments: ["no-face", "frozen-camera", "suspect-frames"])
  func `some reasons always end the check`(reason: String) {
    #expect(AttemptPolicy(requested: 5).consequence(of: reason, after: []) == .end)
  }
}

@Suite struct `Check videos and images` {
  @Test func `a video is made of all frames after the result and deleted at the end of its retention`() async throws {
    let fixture = try Fixture { $0.clipLifetime = .seconds(60) }
    let made = try await fixture.create(clip: true)
    let steps = try await fixture.play(made, rightIn: 1)
    #expect(try await fixture.service.clip(of: made.check.id) == .pending)
    try await fixture.service.purgeFrameLogs()
    try await fixture.service.makeClips()
    guard case .ready(let clip)? = try await fixture.service.clip(of: made.check.id) else {
      Issue.record("there is no clip")
      return
    }
    #expect(String(decoding: clip, as: UTF8.self).contains("30.0 1 ") && steps.last?.state == "passed")
    #expect(await fixture.frameLogs.frameLogs().isEmpty)
    fixture.clock.advance(by: .seconds(61))
    try await fixture.service.expireAndPurge()
    #expect(try await fixture.service.clip(of: made.check.id) == nil)
  }

  @Test func `a video that cannot be made is reported and does not change the result`() async throws {
    let fixture = try Fixture(broken: true)
    let made = try await fixture.create(clip: true)
    #expect(try await fixture.play(made, rightIn: 1).last?.state == "passed")
    #expect(try await fixture.service.makeClips().count == 1, "the reason is logged")
    #expect(try await fixture.service.clip(of: made.check.id) == .failed)
    #expect(await fixture.frameLogs.frameLogs().isEmpty, "a partial clip would be mistaken for the whole")
  }

  @Test func `a deleted check leaves no frame log and orphaned frame logs are deleted`() async throws {
    let fixture = try Fixture()
    let (one, other, plain) = (
      try await fixture.create(clip: true), try await fixture.create(clip: true), try await fixture.create()
    )
    for made in [one, other, plain] { _ = try await fixture.play(made, rightIn: 1) }
    #expect(Set(await fixture.frameLogs.frameLogs()) == [one.check.id, other.check.id])
    try await fixture.service.delete(one.check.id)
    #expect(await fixture.frameLogs.frameLogs() == [other.check.id])
    _ = try await fixture.store.delete(other.check.id)
    try await fixture.service.purgeFrameLogs()
    #expect(await fixture.frameLogs.frameLogs().isEmpty)
  }

  @Test func `a frame log is deleted at the end of its retention even without video encoding`() async throws {
    let fixture = try Fixture { $0.clipLifetime = .seconds(60) }
    let made = try await fixture.create(clip: true)
    _ = try await fixture.play(made, rightIn: 1)
    try await fixture.service.purgeFrameLogs()
    #expect(await fixture.frameLogs.frameLogs() == [made.check.id], "the clip is pending")
    fixture.clock.advance(by: .seconds(61))
    try await fixture.service.purgeFrameLogs()
    #expect(await fixture.frameLogs.frameLogs().isEmpty)
  }

  @Test func `results are deleted at the end of their retention`() async throws {
    let fixture = try Fixture { $0.resultLifetime = .seconds(3600) }
    let made = try await fixture.create()
    _ = try await fixture.play(made, rightIn: 1)
    fixture.clock.advance(by: .seconds(3590))
    try await fixture.service.expireAndPurge()
    _ = try await fixture.service.read(made.check.id)
    fixture.clock.advance(by: .seconds(11))
    try await fixture.service.expireAndPurge()
    let error = await #expect(throws: ServiceError.self) { _ = try await fixture.service.read(made.check.id) }
    #expect(error?.code == .notFound)
  }

  @Test func `a server that stores no images rejects checks that require them`() async throws {
    let fixture = try Fixture { $0.keepsImages = false }
    let images = await #expect(throws: ServiceError.self) { _ = try await fixture.create(images: 1) }
    let clip = await #expect(throws: ServiceError.self) { _ = try await fixture.create(clip: true) }
    #expect(images?.code == .forbidden && clip?.code == .forbidden)
    let keeping = try Fixture()
    let invalid = await #expect(throws: ServiceError.self) {
      _ = try await keeping.create(images: 5)
    }
    #expect(invalid?.code == .badValue)
  }
}

@Suite struct `Verdict policy and passive signals` {
  private static func machine(passed: Bool) -> CheckStateMachine {
    var machine = CheckStateMachine(side: .subjectLeft, depth: .noDepth, settings: .standard)
    var tracking = 0
    for frame in 0..<600 where !machine.isOver {
      var yaw: Float = 0
      if case .tracking = machine.state {
        tracking += 1
        let turn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]
        yaw = passed ? turn[min(tracking, 9)] : -turn[min(tracking, 9)]
      }
      machine.process(
        HeadSample(
          at: MonotonicInstant(nanoseconds: Int64(frame) * 100_000_000),
          sight: .face(yaw: yaw, box: FaceBox(x: 0.35, y: 0.25, width: 0.3, height: 0.5))), hints: [])
    }
    return machine
  }

  private static func finding(_ check: String, suspect: Bool) throws -> Finding {
    let measure = Finding.Measure(native: 1, score: try #require(Score(suspect ? 0.1 : 0.9)), calibration: "test")
    return Finding(check: check, result: suspect ? .suspect(measure, because: "test") : .genuine(measure))
  }

  @Test func `strong signals reject, doubts are only reported and nothing compensates for a failed task`() throws {
    let session = try #require(CheckID("one"))
    let (good, bad) = (Self.machine(passed: true), Self.machine(passed: false))
    let loop = PassiveAssessment([try Self.finding("frames-repeated", suspect: true)])
    let doubt = PassiveAssessment([try Self.finding("eyelid-motion", suspect: true)])
    let calm = PassiveAssessment([try Self.finding("eyelid-motion", suspect: false)])
    func outcome(_ machine: CheckStateMachine, _ found: PassiveAssessment?, refuses: Bool = true) -> String {
      switch VerdictPolicy.verdict(on: machine, of: session, passive: { found }, refuses: refuses) {
      case .accepted(let capture): "passed with \(capture.findings.count - machine.findings.count)"
      case .refused(let reason, let findings): "\(reason) with \(findings.count - machine.findings.count)"
      case .timedOut(let reason, _): reason
      case nil: "open"
      }
    }
    #expect(outcome(good, nil) == "passed with 0")
    #expect(outcome(good, calm) == "passed with 1")
    #expect(outcome(good, doubt) == "passed with 1")
    #expect(outcome(good, loop) == "suspect-frames with 1")
    #expect(outcome(good, loop, refuses: false) == "passed with 1")
    let few = PassiveAssessment([
      Finding(check: "movement-stillness", result: .notAssessed(.tooFewFrames(9))),
      try Self.finding("eyelid-motion", suspect: false),
    ])
    #expect(outcome(good, few) == "too-few-frames with 2", "the result of a few still images")
    #expect(outcome(good, few, refuses: false) == "passed with 2")
    #expect(outcome(bad, few) == "wrong-direction with 2")
    let slow = PassiveAssessment([Finding(check: "movement-jerkiness", result: .notAssessed(.tooFewFrames(3)))])
    #expect(outcome(good, slow) == "passed with 1", "a slow network alone is no reason to refuse")
    #expect(outcome(bad, calm) == "wrong-direction with 1")
    #expect(outcome(bad, loop) == "wrong-direction with 1")
    #expect(outcome(CheckStateMachine(side: .subjectLeft, depth: .noDepth, settings: .standard), loop) == "open")
  }

  @Test func `frames of an earlier check reject if the operator enables it`() throws {
    let session = try #require(CheckID("one"))
    let (good, bad) = (Self.machine(passed: true), Self.machine(passed: false))
    func outcome(_ machine: CheckStateMachine, _ earlier: Finding, refuses: Bool) -> String {
      switch VerdictPolicy.verdict(
        on: machine, of: session, earlier: earlier, refusesReplays: refuses)
      {
      case .accepted(let capture): "passed with \(capture.findings.count - machine.findings.count)"
      case .refused(let reason, let findings): "\(reason) with \(findings.count - machine.findings.count)"
      case .timedOut(let reason, _): reason
      case nil: "open"
      }
    }
    let suspect = try Self.finding("earlier-frames", suspect: true)
    #expect(outcome(good, suspect, refuses: true) == "suspect-frames with 1")
    #expect(outcome(good, suspect, refuses: false) == "passed with 1")
    #expect(outcome(bad, suspect, refuses: true) == "wrong-direction with 1")
    #expect(outcome(good, try Self.finding("earlier-frames", suspect: false), refuses: true) == "passed with 1")
    let none = Finding(check: "earlier-frames", result: .notAssessed(.tooFewFrames(3)))
    #expect(outcome(good, none, refuses: true) == "passed with 1")
  }
}
