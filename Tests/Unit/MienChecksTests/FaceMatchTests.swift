import MienChecks
import MienCore
import MienFaceMatch
import MienPlatform
import MienTestSupport
import Testing

@Suite struct `Face match in a check` {
  @Test func `the right person passes and matches`() async throws {
    let bench = try FaceMatchBench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    #expect(try await bench.service.read(check.id).record.faceReference?.template != nil)
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
    let result = try await bench.result(check.id)
    guard case .genuine(let measure)? = finding("face-match", result) else { throw Unexpected(result) }
    #expect(measure.native > 0.99)
    guard case .genuine? = finding("one-person", result) else { throw Unexpected(result) }
    #expect(try await bench.service.read(check.id).record.faceReference == nil, "the template is deleted")
  }

  @Test func `another person passes the liveness check, and does not match`() async throws {
    let bench = try FaceMatchBench()
    let (check, token) = try await bench.create(reference: image(of: 2))
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
    guard case .suspect(_, "other-person")? = finding("face-match", try await bench.result(check.id)) else {
      throw Unexpected(try await bench.result(check.id))
    }
  }

  @Test func `a change of person in the middle fails, and the reference is not compared`() async throws {
    let bench = try FaceMatchBench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    let last = try await bench.play(check.id, token) { direction, _ in direction > 0 ? 1 : 2 }
    #expect(last.state == "failed" && last.reason == "person-changed")
    let result = try await bench.result(check.id)
    #expect(finding("face-match", result) == .notAssessed(.notLive))
  }

  @Test func `the person may change before the first task`() async throws {
    let bench = try FaceMatchBench()
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
    let bench = try FaceMatchBench { $0.personChange = policy }
    let (check, token) = try await bench.create()
    #expect(try await bench.play(check.id, token) { direction, _ in direction > 0 ? 1 : 2 }.state == "passed")
    let found = finding("one-person", try await bench.result(check.id))
    #expect((found == nil) == (policy == .off))
  }

  @Test func `a further attempt may be another person's, and is monitored anew`() async throws {
    let bench = try FaceMatchBench()
    let (check, token) = try await bench.create(reference: image(of: 3), attempts: 2)
    let last = try await bench.play(check.id, token) { direction, attempt in attempt == 2 ? 3 : direction > 0 ? 1 : 2 }
    #expect(last.state == "passed")
    let result = try await bench.result(check.id)
    #expect(result.previousAttempts.map(\.reason) == ["person-changed"])
    guard case .genuine? = finding("face-match", result) else { throw Unexpected(result) }
  }

  @Test(arguments: [1, 2]) func `a subject who declines the comparison passes, and the template is deleted`(
    person: Int
  ) async throws {
    let bench = try FaceMatchBench { $0.personChange = .off }
    let (check, token) = try await bench.create(reference: image(of: 1))
    #expect(try await bench.service.matchState(of: check.id, token: token) == .open)
    for _ in 1...2 { try await bench.service.declineMatch(of: check.id, token: token) }
    #expect(try await bench.service.matchState(of: check.id, token: token) == .declined)
    #expect(try await bench.service.read(check.id).record.faceReference == .declined)
    #expect(try await bench.play(check.id, token) { _, _ in person }.state == "passed")
    let found = finding("face-match", try await bench.result(check.id))
    #expect(found == .notAssessed(.declined))
    #expect(
      try await bench.service.matchState(of: check.id, token: token)
        == .decided(Finding(check: "face-match", result: .notAssessed(.declined))))
  }

  @Test func `a comparison that was declined stays declined if the check fails`() async throws {
    let bench = try FaceMatchBench()
    let (check, token) = try await bench.create(reference: image(of: 1))
    try await bench.service.declineMatch(of: check.id, token: token)
    #expect(try await bench.play(check.id, token) { direction, _ in direction > 0 ? 1 : 2 }.state == "failed")
    #expect(finding("face-match", try await bench.result(check.id)) == .notAssessed(.declined))
  }

  @Test func `a comparison can be declined before the check begins, with its token`() async throws {
    let bench = try FaceMatchBench()
    let (plain, plainToken) = try await bench.create()
    #expect(try await bench.service.matchState(of: plain.id, token: plainToken) == .off)
    let without = await #expect(throws: ServiceError.self) {
      try await bench.service.declineMatch(of: plain.id, token: plainToken)
    }
    #expect(without?.code == .badValue)
    let (check, token) = try await bench.create(reference: image(of: 1))
    for wrong in [nil, plainToken] {
      let refused = await #expect(throws: ServiceError.self) {
        try await bench.service.declineMatch(of: check.id, token: wrong)
      }
      #expect(refused?.code == .unauthorized)
      let unread = await #expect(throws: ServiceError.self) {
        try await bench.service.matchState(of: check.id, token: wrong)
      }
      #expect(unread?.code == .unauthorized)
    }
    _ = try await bench.service.processFrame(
      at: ScriptedObserver.frame(yaw: 0, mark: 10_000), of: check.id, token: token, client: "page", capturedAt: nil)
    let begun = await #expect(throws: ServiceError.self) {
      try await bench.service.declineMatch(of: check.id, token: token)
    }
    #expect(begun?.code == .forbidden)
    #expect(try await bench.play(check.id, token) { _, _ in 1 }.state == "passed")
    let over = await #expect(throws: ServiceError.self) {
      try await bench.service.declineMatch(of: check.id, token: token)
    }
    #expect(over?.code == .checkEnded)
    guard case .decided(let match) = try await bench.service.matchState(of: check.id, token: token),
      case .genuine = match.result
    else { throw Unexpected(try await bench.result(check.id)) }
  }

  @Test func `a server without the model refuses references and checks liveness as before`() async throws {
    let bench = try FaceMatchBench(recognizes: false)
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: image(of: 1)) }
    #expect(error?.code == .modelUnavailable)
    let (check, token) = try await bench.create()
    #expect(try await bench.play(check.id, token) { direction, _ in direction > 0 ? 1 : 2 }.state == "passed")
    let result = try await bench.result(check.id)
    #expect(finding("one-person", result) == nil && finding("face-match", result) == nil)
  }

  @Test(arguments: [
    (image(of: 1, count: 0), "no-face"), (image(of: 1, count: 2), "several-faces"),
    (image(of: 1, eyes: 9), "face-too-small"),
  ]) func `a reference that cannot be compared is refused with its reason`(bytes: [UInt8], reason: String) async throws
  {
    let bench = try FaceMatchBench()
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: bytes) }
    #expect(error?.code == .notAssessed && error?.reason.contains(reason) == true)
  }

  @Test func `bytes that are not an image, and checks without frames, are refused`() async throws {
    let bench = try FaceMatchBench { $0.allowsClaims = true }
    let error = await #expect(throws: ServiceError.self) { try await bench.create(reference: [1, 2, 3]) }
    #expect(error?.code == .notAImage)
    let other = await #expect(throws: ServiceError.self) {
      try await bench.service.create(
        side: .subjectLeft, person: nil, expectsDepth: false, reference: nil, sources: .claimed,
        referenceImage: image(of: 1))
    }
    #expect(other?.code == .badValue)
  }

  @Test func `an expired check reports that nothing was compared`() async throws {
    let bench = try FaceMatchBench()
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
