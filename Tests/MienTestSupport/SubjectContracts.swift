internal import MienModel
public import MienService
internal import Testing

/// What every ``SubjectStore`` keeps to.
public func checkSubjectStore(_ make: () async throws -> some SubjectStore & CheckStore & EnrolmentStore) async throws {
  let store = try await make()
  let (ada, bob) = (try #require(PersonID("ada")), try #require(PersonID("bob")))
  let phone = try #require(DeviceID("ada"))
  #expect(try await store.lockout(of: .person(ada)) == LockoutMachine())
  let (first, second) = (UnixTime(milliseconds: 10), UnixTime(milliseconds: 20))
  let kept = LockoutMachine(failures: [first, second], lockedUntil: UnixTime(milliseconds: 99))
  try await store.changeLockout(of: .person(ada)) { machine in
    machine = kept
    return UnixTime(milliseconds: 100)
  }
  #expect(try await store.lockout(of: .person(ada)) == kept)
  #expect(try await store.lockout(of: .person(bob)) == LockoutMachine())
  #expect(try await store.lockout(of: .device(phone)) == LockoutMachine(), "a device is not the person of its name")
  #expect(try await store.forgetLockouts(expiredBy: UnixTime(milliseconds: 99)) == 0)
  #expect(try await store.forgetLockouts(expiredBy: UnixTime(milliseconds: 100)) == 1)
  #expect(try await store.lockout(of: .person(ada)) == LockoutMachine())

  let rules = try #require(LockoutSettings(failures: 40))
  try await withThrowingTaskGroup { group in
    for time in 0..<30 {
      group.addTask {
        try await store.changeLockout(of: .device(phone)) { machine in
          machine.ended(passed: false, at: UnixTime(milliseconds: Int64(time)), rules)
          return machine.expires(rules)
        }
      }
    }
    try await group.waitForAll()
  }
  #expect(try await store.lockout(of: .device(phone)).failures.count == 30, "no failure is lost when many come at once")
  try await store.changeLockout(of: .device(phone)) { _ in nil }
  #expect(try await store.lockout(of: .device(phone)) == LockoutMachine())

  let check = try sampleCheck()
  try await store.create(check)
  try await store.changeLockout(of: .person(ada)) { _ in UnixTime(milliseconds: 100) }
  #expect(try await store.erase(ada))
  #expect(try await store.check(check.id) == nil, "the sample's checks are of this person")
  #expect(try await !store.erase(ada))
  #expect(try await !store.erase(bob))
}
