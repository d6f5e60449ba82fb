internal import MienLiveness
public import MienCore
public import MienPlatform
public import MienAccess
public import MienChecks
internal import Testing

/// Returns a check with all fields set, for store tests.
public func sampleCheck(_ id: String = "chk_1", created: Int64 = 1000, expires: Int64 = 181_000) throws -> CheckRecord {
  CheckRecord(
    id: try #require(CheckID(id)), token: SecretDigest(of: "token of \(id)"),
    created: UnixTime(milliseconds: created), expires: UnixTime(milliseconds: expires), side: .subjectRight,
    person: PersonID("ada"), device: DeviceID("phone-1"), expectsDepth: true, reference: "order 42 — ünïcode",
    sources: [.observed, .depth], takesScan: true, takesCaptures: true, takesTasks: true,
    faceReference: FaceReference(stored: [UInt8](repeating: 7, count: 528)), templateUse: .enroll,
    returnURL: "https://shop.example/back?order=7")
}

/// Returns a result with a finding of every kind.
public func sampleResult(_ outcome: CheckResult.Outcome = .failed) throws -> CheckResult {
  let measure = Finding.Measure(native: 31.25, score: try #require(Score(0.75)), calibration: "test-1")
  return CheckResult(
    outcome: outcome, reason: outcome == .passed ? nil : "wrong-direction", decided: UnixTime(milliseconds: 5000),
    source: .observed, frames: 42,
    findings: [
      Finding(check: "a", result: .genuine(measure)), Finding(check: "b", result: .suspect(measure, because: "static")),
      Finding(check: "c", result: .notAssessed(.noDepth)), Finding(check: "d", result: .notAssessed(.tooFewFrames(3))),
      Finding(check: "e", result: .notAssessed(.modelUnavailable("face_detector.tflite"))),
      Finding(check: "f", result: .notAssessed(.severalFaces(2))), Finding(check: "g", result: .notAssessed(.noFace)),
      Finding(check: "h", result: .notAssessed(.notEnrolled)),
      Finding(check: "i", result: .notAssessed(.tooLittleValidDepth)),
      Finding(check: "j", result: .notAssessed(.notLive)),
      Finding(check: "k", result: .notAssessed(.imageTooSmall)),
      Finding(check: "l", result: .notAssessed(.imageTooCompressed)),
      Finding(check: "m", result: .notAssessed(.templateDeleted)),
    ], outboundPath: [1.5, 12, 26.125], returnPath: [20, 4.75],
    received: FrameHashChain(count: 44, head: [UInt8](0..<32)), settings: "test-1",
    previousAttempts: [
      FailedAttempt(outcome: .timedOut, reason: "no-turn", ended: UnixTime(milliseconds: 3000)),
      FailedAttempt(outcome: .failed, reason: "static", ended: UnixTime(milliseconds: 4000)),
    ], side: .subjectLeft, feedback: [.faceNotVisible, .lowLightingDetected])
}

/// Conformance test for ``CheckStore``.
public func checkCheckStore(_ make: () async throws -> some CheckStore) async throws {
  let store = try await make()
  let check = try sampleCheck()
  #expect(try await store.check(check.id) == nil)

  try await store.create(check)
  let open = try #require(try await store.check(check.id))
  #expect(open.record == check)
  #expect(open.result == nil)
  let again = await #expect(throws: StoreError.self) { try await store.create(check) }
  #expect(again?.code == .duplicate)

  let result = try sampleResult()
  let unknown = try #require(CheckID("chk_unknown"))
  let missing = await #expect(throws: StoreError.self) { try await store.decide(unknown, result) }
  #expect(missing?.code == .missing)
  #expect(try await store.check(unknown) == nil)

  try await store.decide(check.id, result)
  #expect(try await store.check(check.id)?.result == result)
  #expect(try await store.check(check.id)?.record.faceReference == nil, "a template is deleted with the verdict")
  let twice = await #expect(throws: StoreError.self) { try await store.decide(check.id, try sampleResult(.passed)) }
  #expect(twice?.code == .duplicate)
  #expect(try await store.check(check.id)?.result == result, "the first verdict is kept")

  let late = try sampleCheck("chk_late", created: 2000, expires: 9000)
  let later = try sampleCheck("chk_later", created: 2000, expires: 9500)
  let fresh = try sampleCheck("chk_fresh", created: 2000, expires: 99_000)
  for check in [later, fresh, late] { try await store.create(check) }
  #expect(try await store.expired(before: UnixTime(milliseconds: 10_000), limit: 10) == [late.id, later.id])
  #expect(try await store.expired(before: UnixTime(milliseconds: 10_000), limit: 1) == [late.id])
  #expect(try await store.expired(before: UnixTime(milliseconds: 9000), limit: 10) == [])

  try await withThrowingTaskGroup(of: Bool.self) { group in
    for _ in 0..<20 {
      group.addTask {
        do {
          try await store.decide(fresh.id, try sampleResult(.passed))
          return true
        } catch let error as StoreError where error.code == .duplicate {
          return false
        }
      }
    }
    var written = 0
    for try await wrote in group where wrote { written += 1 }
    #expect(written == 1, "of many concurrent verdicts, one is stored")
  }

  #expect(try await !store.delete(check.id).isEmpty)
  #expect(try await store.check(check.id) == nil)
  #expect(try await store.delete(check.id).isEmpty)
  #expect(try await store.check(fresh.id) != nil, "other checks remain")

  let choice = try sampleCheck("chk_choice")
  let tasks = CheckTasks(requested: [TaskOptions(kind: "blink")], seed: [UInt8](0..<32))
  try await store.create(choice)
  #expect(try await store.choose(tasks, bitsOfChoice: 2, for: choice.id))
  let chosen = try #require(try await store.check(choice.id)?.record)
  #expect(chosen.tasks == tasks && chosen.bitsOfChoice == 2)
  try await store.decide(choice.id, result)
  #expect(try await !store.choose(tasks, bitsOfChoice: 2, for: choice.id), "a decided check keeps its tasks")
  #expect(try await !store.choose(tasks, bitsOfChoice: 2, for: unknown))

  let compared = try sampleCheck("chk_compared")
  try await store.create(compared)
  #expect(compared.faceReference?.isDeclined == false)
  for _ in 1...2 { #expect(try await store.declineMatch(of: compared.id)) }
  #expect(try await store.check(compared.id)?.record.faceReference == .declined, "the template is deleted")
  try await store.decide(compared.id, result)
  #expect(try await !store.declineMatch(of: compared.id), "a decided check keeps its match")
  #expect(try await !store.declineMatch(of: unknown))
}

/// Conformance test for ``APIKeyStore``.
public func checkAPIKeyStore(_ make: () async throws -> some APIKeyStore) async throws {
  let store = try await make()
  let key = SecretDigest(of: "mien_one")
  #expect(try await store.hasNoKeys())
  #expect(try await !store.hasKey(key))
  try await store.addKey(key, at: UnixTime(milliseconds: 1))
  #expect(try await !store.hasNoKeys())
  #expect(try await store.hasKey(key))
  #expect(try await !store.hasKey(SecretDigest(of: "mien_two")))
  let twice = await #expect(throws: StoreError.self) { try await store.addKey(key, at: UnixTime(milliseconds: 2)) }
  #expect(twice?.code == .duplicate)
}

/// Conformance test for ``ServiceClock``.
public func checkServiceClock(_ clock: some ServiceClock, advance: (Interval) async throws -> Void) async throws {
  let (before, day) = (clock.now(), clock.timeOfDay())
  try await advance(.milliseconds(20))
  let (after, nextDay) = (clock.now(), clock.timeOfDay())
  #expect(after.since(before) >= .milliseconds(19))
  #expect(after.since(before) < .seconds(60))
  #expect(nextDay >= day)
  #expect(day.milliseconds > 1_700_000_000_000, "milliseconds since 1970")
}

/// Conformance test for ``FaceTracking``.
///
/// - Parameter frame: an image with one face.
public func checkFaceTracking(_ observer: any FaceTracking, frame: [UInt8]) async throws {
  #expect(await observer.obstacles() == [])
  let at = MonotonicInstant(nanoseconds: 5)
  let first = try await observer.observe(EncodedFrame(bytes: frame, at: at), after: observer.newTrack())
  #expect(first.observation.at == at)
  #expect(first.observation.face != nil)
  #expect(first.observation.faceCount == 1)
  let second = try await observer.observe(EncodedFrame(bytes: frame, at: at + .milliseconds(33)), after: first.track)
  #expect(second.observation.face != nil)
  for bytes in [[], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8)] as [[UInt8]] {
    let error = await #expect(throws: FaceTrackingError.self) {
      _ = try await observer.observe(EncodedFrame(bytes: bytes, at: at), after: second.track)
    }
    #expect(error?.code == .notAImage)
  }
}

/// Conformance test for ``EnrollmentStore``.
public func checkEnrollmentStore(_ make: () async throws -> some EnrollmentStore) async throws {
  let store = try await make()
  let ada = try #require(PersonID("ada"))
  let bob = try #require(PersonID("bob"))
  func thresholds(_ relief: Double, revision: Int) throws -> DepthThresholds {
    try #require(
      DepthThresholds(
        shape: DepthThresholds.Shape(noseRelief: relief, planeResidual: 3, sheetResidual: 1.5, centerToRim: 9),
        validFraction: 0.6, nearest: 150, farthest: 1000, revision: revision))
  }
  #expect(try await store.thresholds(of: ada) == nil)
  let first = try thresholds(8.25, revision: 0)
  #expect(try await store.enroll(ada, first, at: UnixTime(milliseconds: 1)) == 1)
  #expect(try await store.thresholds(of: ada) == first)
  let second = try thresholds(8.5, revision: 1)
  #expect(try await store.enroll(ada, second, at: UnixTime(milliseconds: 2)) == 2)
  #expect(try await store.thresholds(of: ada) == second, "the newest version applies")
  #expect(try await store.thresholds(of: bob) == nil)
  #expect(try await store.enroll(bob, first, at: UnixTime(milliseconds: 3)) == 1)

  let versions = try await withThrowingTaskGroup(of: Int.self) { group in
    for _ in 0..<10 { group.addTask { try await store.enroll(bob, second, at: UnixTime(milliseconds: 4)) } }
    var versions: Set<Int> = []
    for try await version in group { versions.insert(version) }
    return versions
  }
  #expect(versions == Set(2...11), "concurrent versions are numbered without gaps or duplicates")
}
