import Foundation
import MienCore
import MienLiveness
import MienStore
import MienTestGenerators
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

/// Depth captures and head poses that a device measures beside the frames of a check.
@Suite struct `Measurements beside frames` {
  /// Observer whose analysis of a frame waits for the test, while it is held.
  private actor HeldObserver: FaceTracking {
    private let observer = ScriptedObserver()
    private var isHeld = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    var analyzed: Int { waiting.count }
    func hold() { isHeld = true }
    func release() {
      isHeld = false
      waiting.forEach { $0.resume() }
      waiting = []
    }

    nonisolated func newTrack() -> FaceTrack { observer.newTrack() }
    func observe(
      _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
    ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
      if isHeld { await withCheckedContinuation { waiting.append($0) } }
      return try await observer.observe(frame, after: track, in: session)
    }
    func obstacles() async -> [UnavailableReason] { [] }
  }

  private let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  private let observer = HeldObserver()

  private func service(_ adjust: (inout ServiceSettings) -> Void = { _ in }) throws -> LivenessCheckService {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-beside-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var settings = ServiceSettings.scripted
    adjust(&settings)
    return LivenessCheckService(
      store: try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path), observer: observer, clock: clock,
      settings: settings, generator: SplitMixGenerator(seed: 5),
      keyring: MasterKeyring(key: [UInt8](repeating: 3, count: 32)))
  }

  /// Depth capture of a head 400 mm away: the front of an ellipsoid with a nose, different for each `seed`.
  private static func head(_ seed: Int) throws -> DepthFrame {
    let (size, focal) = (120, 210.0)
    func bump(_ x: Double, _ y: Double, _ wide: Double, _ high: Double) -> Double {
      1 / pow(1 + pow(x / wide, 2) + pow(y / high, 2), 2)
    }
    let samples = (0..<size * size).map { index in
      let (x, y) = ((Double(index % size) - 59.5) / focal * 390, (Double(index / size) - 59.5) / focal * 390)
      var height = 85 * max(0, 1 - pow(x / 88, 2) - pow(y / 125, 2)).squareRoot() - 85
      height += 20 * bump(x, y - 12, 17, 24) - 8 * (bump(x - 32, y + 22, 17, 14) + bump(x + 32, y + 22, 17, 14))
      return UInt16((400 - height + 0.2 * Double(seed)) * 10)
    }
    let (wide, high) = (Float(150 * focal / 400 / Double(size)), Float(190 * focal / 400 / Double(size)))
    return try #require(
      DepthFrame(
        width: size, height: size, samples: samples, micrometersPerStep: 100,
        intrinsics: PinholeIntrinsics(fx: 210, fy: 210, cx: 59.5, cy: 59.5),
        face: FaceBox(x: 0.5 - wide / 2, y: 0.5 - high / 2, width: wide, height: high), at: .zero))
  }

  @Test func `depth passes a check also while a frame is being analyzed`() async throws {
    let service = try service { $0.allowsClaims = true }
    let person = try #require(PersonID("ada"))
    _ = try await service.enroll(person, captures: (0..<4).map { try Self.head($0) })
    let (check, token) = try await service.create(
      side: .subjectLeft, person: person, expectsDepth: true, reference: nil, sources: [.observed, .depth])
    @Sendable func frame(_ number: Int64) async throws -> CheckStep {
      try await service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: Int(number)), of: check.id, token: token, client: "phone",
        capturedAt: .milliseconds(100 * Double(number)), number: number)
    }
    #expect(try await frame(0).state == "depth")
    clock.advance(by: .milliseconds(100))
    await observer.hold()
    async let late = frame(1)
    try await eventually { await observer.analyzed == 1 }
    var states: [String] = []
    for seed in 10..<13 {
      clock.advance(by: .milliseconds(200))
      states.append(
        try await service.depth(try Self.head(seed), of: check.id, token: token, client: "phone").state)
    }
    #expect(states == ["depth", "depth", "passed"])
    await observer.release()
    #expect(try await late.state == "passed")
    let result = try #require(try await service.read(check.id).result)
    #expect(result.outcome == .passed && result.basis == .depth)
  }

  @Test func `a capture during the analysis of a frame closes no window`() async throws {
    let service = try service { $0.allowsClaims = true }
    let person = try #require(PersonID("ada"))
    _ = try await service.enroll(person, captures: (0..<4).map { try Self.head($0) })
    let (check, token) = try await service.create(
      side: .subjectLeft, person: person, expectsDepth: true, reference: nil, sources: [.observed, .depth])
    @Sendable func frame(_ number: Int64, at seconds: Double) async throws -> CheckStep {
      try await service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: Int(number)), of: check.id, token: token, client: "phone",
        capturedAt: .seconds(seconds), number: number)
    }
    #expect(try await frame(0, at: 0).state == "depth")
    clock.advance(by: .seconds(1))
    await observer.hold()
    async let late = frame(1, at: 1)
    try await eventually { await observer.analyzed == 1 }
    // The window has closed when the capture arrives; that the face stayed is known only with the frame.
    clock.advance(by: .milliseconds(4200))
    #expect(try await service.depth(try Self.head(9), of: check.id, token: token, client: "phone").state == "depth")
    await observer.release()
    _ = try await late
    #expect(try await service.read(check.id).result == nil)
    #expect(try await frame(2, at: 5.2).state == "instructing")
  }

  /// Performs a left turn with the device's poses beside the frames; returns the result.
  private func turn(_ claimed: (Float) -> Float) async throws -> CheckResult {
    // Comparing needs no permission to decide by claims.
    let service = try service()
    let (check, token) = try await service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, sources: [.observed, .compared])
    let turn: [Float] = [0, 6, 14, 22, 30, 24, 15, 8, 2, 0]
    var (rest, last) = (turn[...], CheckStep?.none)
    for mark in 0..<400 where last?.isOver != true {
      let yaw = last?.state == "tracking" ? rest.popFirst() ?? 0 : 0
      clock.advance(by: .milliseconds(100))
      let at = Double(mark) / 10
      try await service.expectClaimsAllowed(of: check.id)
      let claim = ClientObservation(
        at: .zero + .seconds(at), faceCount: 1, box: nil, pose: HeadPose(yaw: claimed(yaw), pitch: 0, roll: 0),
        blendshapes: nil)
      let step = try await service.claim([claim], of: check.id, token: token, client: "phone")
      #expect(step.state == last?.state ?? "positioning", "a claim changes nothing")
      last = try await service.processFrame(
        at: ScriptedObserver.frame(yaw: yaw, mark: mark), of: check.id, token: token, client: "phone",
        capturedAt: .seconds(at))
    }
    #expect(last?.state == "passed")
    return try #require(try await service.read(check.id).result)
  }

  @Test func `poses of the device are compared with the frames and decide nothing`() async throws {
    let agreeing = try await turn { 0.8 * $0 + 4 }
    #expect(agreeing.source == .observed && agreeing.basis == .frames)
    guard case .genuine = agreeing.findings.first(where: { $0.check == "device-pose" })?.result else {
      Issue.record("\(agreeing.findings)")
      return
    }
    let contradicting = try await turn { _ in 1 }
    #expect(contradicting.outcome == .passed && contradicting.basis == .frames)
    guard
      case .suspect(_, "device-differs") = contradicting.findings.first(where: { $0.check == "device-pose" })?.result
    else {
      Issue.record("\(contradicting.findings)")
      return
    }
  }

  @Test func `a claimed turn beside frames of a resting head does not pass`() async throws {
    let service = try service { $0.allowsClaims = true }
    let (check, token) = try await service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, attempts: 1,
      sources: [.observed, .compared])
    var last: CheckStep?
    for mark in 0..<400 where last?.isOver != true {
      clock.advance(by: .milliseconds(100))
      let at = Double(mark) / 10
      let claim = ClientObservation(
        at: .zero + .seconds(at), faceCount: 1, box: nil,
        pose: HeadPose(yaw: Float(30 * abs(sin(at))), pitch: 0, roll: 0), blendshapes: nil)
      _ = try await service.claim([claim], of: check.id, token: token, client: "phone")
      last = try await service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: mark), of: check.id, token: token, client: "phone",
        capturedAt: .seconds(at))
    }
    #expect(last?.state == "timed-out", "\(last?.state ?? "")")
  }
}
