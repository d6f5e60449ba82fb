internal import MienCore
internal import MienPlatform
public import MienMessageService
internal import Testing

/// Conformance test for ``AttemptWaitStore``.
///
/// - Parameter make: opens the same database each time, like another server.
public func checkAttemptWaitStore<Store: AttemptWaitStore>(_ make: () async throws -> Store) async throws {
  let (store, other) = (try await make(), try await make())
  let (one, two) = (SecretDigest(of: "one"), SecretDigest(of: "two"))
  let time = UnixTime(milliseconds: 1_767_225_600_000)
  @Sendable func until(_ seconds: Double) -> UnixTime { time.adding(.seconds(seconds)) }

  #expect(try await store.wait(of: one) == nil)
  let before = try await store.changeWait(of: one) { wait in
    defer { wait = AttemptWait(attempts: 1, until: until(5)) }
    return wait
  }
  #expect(before == nil)
  #expect(try await other.wait(of: one) == AttemptWait(attempts: 1, until: until(5)), "another server reads it")
  #expect(try await other.wait(of: two) == nil)
  try await other.changeWait(of: one) { $0 = AttemptWait(attempts: 2, until: until(10)) }
  #expect(try await store.wait(of: one)?.attempts == 2)
  try await store.changeWait(of: one) { $0 = nil }
  #expect(try await other.wait(of: one) == nil)
  try await store.changeWait(of: one) { _ in }
  #expect(try await store.wait(of: one) == nil)

  // Concurrent changes on both servers are made one after the other, the first ones too.
  let changes = 24
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<changes {
      let either = number.isMultiple(of: 2) ? store : other
      group.addTask {
        try await either.changeWait(of: two) { $0 = AttemptWait(attempts: ($0?.attempts ?? 0) + 1, until: time) }
      }
    }
    try await group.waitForAll()
  }
  #expect(try await store.wait(of: two)?.attempts == changes)

  // Waits that ended long ago, or that end too late for the clock, are deleted.
  for (name, end) in [("a", -10.0), ("b", -1), ("c", 60), ("d", 7200)] {
    try await store.changeWait(of: SecretDigest(of: name)) { $0 = AttemptWait(attempts: 1, until: until(end)) }
  }
  #expect(try await other.purgeWaits(before: until(-5), after: until(3600), limit: 1) == 1)
  #expect(try await other.purgeWaits(before: until(-5), after: until(3600), limit: 9) == 1)
  #expect(try await other.purgeWaits(before: until(-5), after: until(3600), limit: 9) == 0)
  for (name, isKept) in [("a", false), ("b", true), ("c", true), ("d", false)] {
    #expect(try await (store.wait(of: SecretDigest(of: name)) != nil) == isKept, "\(name)")
  }
}
