internal import MienCore
internal import MienPlatform
public import MienChecks
internal import Testing

/// Conformance test for ``LockoutStore``.
public func checkLockoutStore(_ make: () async throws -> some LockoutStore & CheckStore & EnrollmentStore) async throws
{
  let store = try await make()
  func decide(_ id: String, _ outcome: CheckResult.Outcome, counting rules: LockoutSettings?) async throws {
    let check = try sampleCheck(id)
    try await store.create(check)
    try await store.decide(check.id, try sampleResult(outcome), keeping: [], counting: rules)
  }
  let (ada, bob) = (try #require(PersonID("ada")), try #require(PersonID("bob")))
  let (phone, named) = (try #require(DeviceID("phone-1")), try #require(DeviceID("ada")))
  #expect(try await store.lockout(of: .person(ada)) == LockoutPolicy())

  // The sample's checks are Ada's on phone-1, and its results are from 5000 ms.
  let rules = try #require(LockoutSettings(failures: 40, window: .seconds(1)))
  try await withThrowingTaskGroup { group in
    for number in 0..<30 {
      group.addTask {
        let check = try sampleCheck("chk_count_\(number)")
        try await store.create(check)
        try await store.decide(check.id, try sampleResult(), keeping: [], counting: rules)
      }
    }
    try await group.waitForAll()
  }
  let counted = LockoutPolicy(failures: Array(repeating: UnixTime(milliseconds: 5000), count: 30))
  #expect(try await store.lockout(of: .device(phone)) == counted, "no concurrent failure is lost")
  #expect(try await store.lockout(of: .person(ada)) == counted)
  #expect(try await store.lockout(of: .person(bob)) == LockoutPolicy())
  #expect(
    try await store.lockout(of: .device(named)) == LockoutPolicy(),
    "a device and a person with the same name are separate")

  let again = try #require(CheckID("chk_count_0"))
  await #expect(throws: StoreError.self) {
    try await store.decide(again, try sampleResult(), keeping: [], counting: rules)
  }
  #expect(try await store.lockout(of: .person(ada)) == counted, "a verdict that is not stored is not counted")
  try await decide("chk_unruled", .failed, counting: nil)
  #expect(try await store.lockout(of: .person(ada)) == counted)
  #expect(try await store.purgeLockouts(expiredBy: UnixTime(milliseconds: 5999)) == 0)
  #expect(try await store.purgeLockouts(expiredBy: UnixTime(milliseconds: 6000)) == 2)
  #expect(try await store.lockout(of: .person(ada)) == LockoutPolicy())

  let strict = try #require(LockoutSettings(failures: 1, window: .seconds(1), duration: .seconds(10)))
  try await decide("chk_strict", .failed, counting: strict)
  let locked = LockoutPolicy(lockedUntil: UnixTime(milliseconds: 15_000))
  #expect(try await store.lockout(of: .person(ada)) == locked)
  try await decide("chk_passed", .passed, counting: strict)
  #expect(try await store.lockout(of: .person(ada)) == locked, "passing does not end an active lockout")
  #expect(try await store.purgeLockouts(expiredBy: UnixTime(milliseconds: 15_000)) == 2)
  try await decide("chk_failed", .failed, counting: rules)
  try await decide("chk_better", .passed, counting: rules)
  #expect(try await store.lockout(of: .person(ada)) == LockoutPolicy(), "passing resets the failures")

  let check = try sampleCheck()
  try await store.create(check)
  try await decide("chk_last", .failed, counting: rules)
  let shown = try sampleCheck("chk_shown")
  try await store.create(shown)
  let box = FaceBox(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
  let images = [StoredImage(kind: .reference, bytes: [1], box: box), StoredImage(kind: .audit, bytes: [2], box: box)]
  try await store.decide(shown.id, try sampleResult(.failed), keeping: images, counting: nil)
  let erased = try await store.delete(ada)
  #expect(erased[.checks] > 1 && erased[.images] == 2 && erased[.clips] == 0 && !erased.isEmpty)
  #expect(erased[.lockouts] == 2, "the person's, and that of the device used only by this person")
  #expect(try await store.lockout(of: .person(ada)) == LockoutPolicy())
  #expect(try await store.check(check.id) == nil, "the sample's checks are of this person")
  #expect(try await store.delete(ada).isEmpty)
  #expect(try await store.delete(bob).isEmpty)
}
