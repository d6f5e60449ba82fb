import MienTestGenerators
import Foundation
import MienChecks
import MienCore
import MienFaceMatch
import MienPlatform
import MienStore
import MienTestSupport
import Testing

/// Tracker that cuts out the face of a person whose number is in the frame's mark: `mark / 10_000`.
private struct FaceObserver: FaceTracking {
  private let scripted = ScriptedObserver()

  func newTrack() -> FaceTrack { scripted.newTrack() }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    var seen = try await scripted.observe(frame, after: track, in: session)
    let mark = Int(String(decoding: frame.bytes, as: UTF8.self).split(separator: " ").last ?? "") ?? 0
    if session.alignsFaces { seen.observation.aligned = Self.face(of: mark / 10_000) }
    return seen
  }

  func obstacles() async -> [UnavailableReason] { [] }

  static func face(of person: Int, eyes: Float = 60) -> AlignedFace? {
    AlignedFace(
      samples: ContiguousArray(repeating: UInt8(person), count: AlignedFace.count), eyeDistance: eyes)
  }
}

/// Recognition of these faces: every person has an own axis. An image is `face PERSON COUNT EYES`.
private struct FaceRecognizer: FaceMatching {
  func faces(in image: [UInt8], most: Int) async throws -> [FaceObservation] {
    let parts = String(decoding: image, as: UTF8.self).split(separator: " ")
    guard parts.count == 4, let person = Int(parts[1]), let count = Int(parts[2]), let eyes = Float(parts[3]) else {
      throw FaceTrackingError(.notAImage, reason: "this is no picture")
    }
    guard count > 0 else { return [] }
    let track = ScriptedObserver().newTrack()
    var observation = try await ScriptedObserver().observe(
      EncodedFrame(bytes: ScriptedObserver.frame(yaw: 0, faces: count, mark: 0), at: .zero), after: track,
      in: .comparison
    ).observation
    observation.aligned = FaceObserver.face(of: person, eyes: eyes)
    return Array(repeating: observation, count: min(count, most))
  }

  func template(of face: AlignedFace) async throws -> FaceTemplate {
    var values = [Float](repeating: 0, count: FaceTemplate.count)
    values[Int(face.samples[0])] = 1
    guard let template = FaceTemplate(values) else { throw FaceTrackingError(.busy, reason: "none") }
    return template
  }

  func obstacles() async -> [UnavailableReason] { [] }
}

private func image(of person: Int, count: Int = 1, eyes: Float = 60) -> [UInt8] {
  Array("face \(person) \(count) \(eyes)".utf8)
}

private struct Bench {
  let clock = ManualClock(at: MonotonicInstant(nanoseconds: 1_000_000_000))
  let path: String
  let service: LivenessCheckService

  init(recognizes: Bool = true, _ adjust: (inout ServiceSettings) -> Void = { _ in }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-match-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
    var settings = ServiceSettings.scripted
    adjust(&settings)
    service = LivenessCheckService(
      store: try SQLiteStore(path: path), observer: FaceObserver(), clock: clock, settings: settings,
      generator: SplitMixGenerator(seed: 3), comparer: recognizes ? FaceComparer(FaceRecognizer()) : nil)
  }

  func create(reference: [UInt8]? = nil, attempts: Int = 1) async throws -> (check: CheckRecord, token: String) {
    try await service.create(
      side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, attempts: attempts,
      referenceImage: reference)
  }

  /// Turns the head slowly to the requested side and back. `person` returns who is in front of the camera in an attempt;
  /// `way` is 1 on the way out and −1 on the way back.
  func play(
    _ id: CheckID, _ token: String, person: (_ way: Int, _ attempt: Int) -> Int
  ) async throws -> CheckStep {
    let path =
      stride(from: Float(0), through: 30, by: 2).map { ($0, 1) }
      + stride(from: Float(30), through: 0, by: -2).map { ($0, -1) }
    var rest = path
    var step: CheckStep?
    for mark in 0..<400 where step?.isOver != true {
      let attempt = step?.attempt?.number ?? 1
      var (yaw, way): (Float, Int) = (0, 1)
      if step?.state == "tracking" {
        if !rest.isEmpty { (yaw, way) = rest.removeFirst() } else { way = -1 }
      } else {
        rest = path
      }
      if step?.side == .subjectRight { yaw = -yaw }
      clock.advance(by: .milliseconds(100))
      step = try await service.processFrame(
        at: ScriptedObserver.frame(yaw: yaw, mark: person(way, attempt) * 10_000 + mark), of: id, token: token,
        client: "page", capturedAt: nil)
    }
    return try #require(step)
  }

  func result(_ id: CheckID) async throws -> CheckResult { try #require(try await service.read(id).result) }
}

private func finding(_ name: String, _ result: CheckResult) -> Finding.Result? {
  result.findings.first { $0.check == name }?.result
}

@Suite struct `Face match in a check` {
  @Test func `the right person passes and matches`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    #expect(try await bench.service.read(check.id).record.faceReference?.template != nil)
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
    let result = try await bench.result(check.id)
    guard case .genuine(let measure)? = finding("face-match", result) else { throw Unexpected(result) }
    #expect(measure.native > 0.99)
    guard case .genuine? = finding("one-person", result) else { throw Unexpected(result) }
    #expect(try await bench.service.read(check.id).record.faceReference == nil, "the template is gone")
  }

  @Test func `another person passes the liveness check, and does not match`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create(reference: image(of: 2))
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
    guard case .suspect(_, "other-person")? = finding("face-match", try await bench.result(check.id)) else {
      throw Unexpected(try await bench.result(check.id))
    }
  }

  @Test func `a change of person in the middle fails, and nothing is said about the reference`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    let last = try await bench.play(check.id, token) { way, _ in way > 0 ? 1 : 2 }
    #expect(last.state == "failed" && last.reason == "person-changed")
    let result = try await bench.result(check.id)
    #expect(finding("face-match", result) == .notAssessed(.notLive))
  }

  @Test func `the person may change before the first task`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create()
    for mark in 0..<2 {
      bench.clock.advance(by: .milliseconds(100))
      _ = try await bench.service.processFrame(
        at: ScriptedObserver.frame(yaw: 0, mark: 20_000 + mark), of: check.id, token: token, client: "page",
        capturedAt: nil)
    }
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
  }

  @Test(arguments: [PassivePolicy.report, .off]) func `the policy decides whether a change fails`(
    policy: PassivePolicy
  ) async throws {
    let bench = try Bench { $0.personChange = policy }
    let (check, token) = try await bench.create()
    #expect(try await bench.play(check.id, token) { way, _ in way > 0 ? 1 : 2 }.state == "passed")
    let found = finding("one-person", try await bench.result(check.id))
    #expect((found == nil) == (policy == .off))
  }

  @Test func `a further attempt may be another person's, and is watched anew`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create(reference: image(of: 3), attempts: 2)
    let last = try await bench.play(check.id, token) { way, attempt in attempt == 2 ? 3 : way > 0 ? 1 : 2 }
    #expect(last.state == "passed")
    let result = try await bench.result(check.id)
    #expect(result.previousAttempts.map(\.reason) == ["person-changed"])
    guard case .genuine? = finding("face-match", result) else { throw Unexpected(result) }
  }

  @Test func `a server without the model refuses references and checks liveness as before`() async throws {
    let bench = try Bench(recognizes: false)
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: image(of: 1)) }
    #expect(error?.code == .modelUnavailable)
    let (check, token) = try await bench.create()
    #expect(try await bench.play(check.id, token) { way, _ in way > 0 ? 1 : 2 }.state == "passed")
    let result = try await bench.result(check.id)
    #expect(finding("one-person", result) == nil && finding("face-match", result) == nil)
  }

  @Test(arguments: [
    (image(of: 1, count: 0), "no-face"), (image(of: 1, count: 2), "several-faces"),
    (image(of: 1, eyes: 9), "face-too-small"),
  ]) func `a reference that cannot be compared is refused with its reason`(bytes: [UInt8], reason: String) async throws
  {
    let bench = try Bench()
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: bytes) }
    #expect(error?.code == .notAssessed && error?.reason.contains(reason) == true)
  }

  @Test func `bytes that are no picture, and checks without frames, are refused`() async throws {
    let bench = try Bench { $0.allowsClaims = true }
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: [1, 2, 3]) }
    #expect(error?.code == .notAImage)
    let other = await #expect(throws: ServiceError.self) {
      try await bench.service.create(
        side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, sources: .claimed,
        referenceImage: image(of: 1))
    }
    #expect(other?.code == .badValue)
  }

  @Test func `a check that expires says that nothing was compared`() async throws {
    let bench = try Bench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    bench.clock.advance(by: .milliseconds(100))
    _ = try await bench.service.processFrame(
      at: ScriptedObserver.frame(yaw: 0, mark: 10_000), of: check.id, token: token, client: "page", capturedAt: nil)
    bench.clock.advance(by: .seconds(200))
    try await bench.service.expireAndPurge()
    let result = try await bench.result(check.id)
    #expect(result.outcome != .passed && finding("face-match", result) == .notAssessed(.notLive))
  }

  private struct Unexpected: Error {
    let findings: [Finding]
    init(_ result: CheckResult) { findings = result.findings }
  }
}

@Suite struct `Comparison of two images` {
  private let comparer = FaceComparer(FaceRecognizer())

  @Test func `one person matches, two do not`() async throws {
    let same = try await comparer.compare(reference: image(of: 1), image: image(of: 1))
    #expect(same.outcome == .match(similarity: 1) && same.reference?.face != nil)
    let other = try await comparer.compare(reference: image(of: 1), image: image(of: 2))
    #expect(other.outcome == .noMatch(similarity: 0))
  }

  @Test func `a problem of either image is reported for that image`() async throws {
    let none = try await comparer.compare(reference: image(of: 1), image: image(of: 2, count: 0))
    #expect(none.outcome == .notAssessed(reference: nil, image: .noFace) && none.image == nil)
    let many = try await comparer.compare(reference: image(of: 1, count: 3), image: image(of: 2, eyes: 3))
    #expect(many.outcome == .notAssessed(reference: .severalFaces, image: .tooSmall))
  }

  @Test func `nothing of a comparison is printed`() async throws {
    let same = try await comparer.compare(reference: image(of: 1), image: image(of: 1))
    #expect("\(same)" == "Comparison(withheld)")
    let face = try #require(try await comparer.faces(in: image(of: 1), most: 1, mayHaveOthers: true).first)
    #expect("\(face)" == "Face(withheld)")
  }
}
