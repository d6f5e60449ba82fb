public import MienCore
internal import MienPlatform
public import MienAccess
internal import Testing

/// Conformance test for ``AccountStore``: counting of sign-in attempts.
///
/// - Parameters:
///   - make: opens the same database each time, like another server.
///   - passing: advances the time of a store with its own clock; may be negative.
public func checkTries<Store: AccountStore>(
  _ make: () async throws -> Store, passing: @escaping (Store, Interval) async throws -> Void
) async throws {
  let (store, other) = (try await make(), try await make())
  let (hour, day) = (Interval.seconds(3600), Interval.seconds(86_400))
  var now = UnixTime(milliseconds: 1_767_225_600_000)
  func pass(_ interval: Interval) async throws {
    now = now.adding(interval)
    try await passing(store, interval)
  }
  func bucket(_ name: String, burst: Int = 3) -> SignInRateLimit {
    SignInRateLimit(digest: SecretDigest(of: name), burst: burst, refill: hour)
  }
  // The clock of the store continues during the test.
  func isAbout(_ wait: Interval?, _ expected: Interval) -> Bool {
    guard let wait else { return false }
    return wait <= expected && wait.inSeconds > expected.inSeconds - 600
  }
  let (anna, bert) = (bucket("anna"), bucket("bert"))

  for _ in 0..<3 { #expect(try await store.takeTry(of: anna, at: now) == nil) }
  for _ in 0..<3 { #expect(try await isAbout(store.takeTry(of: anna, at: now), hour), "a rejection is not counted") }
  #expect(try await isAbout(other.takeTry(of: anna, at: now), hour), "another server shares the count")
  #expect(try await other.takeTry(of: bert, at: now) == nil, "each name has its own bucket")
  try await pass(.seconds(1800))
  #expect(try await isAbout(store.takeTry(of: anna, at: now), .seconds(1800)))
  try await pass(.seconds(1800))
  #expect(try await other.takeTry(of: anna, at: now) == nil, "one attempt was added")
  #expect(try await isAbout(store.takeTry(of: anna, at: now), hour))
  try await pass(day)
  for _ in 0..<3 { #expect(try await store.takeTry(of: anna, at: now) == nil) }
  #expect(try await isAbout(store.takeTry(of: anna, at: now), hour), "a bucket does not exceed its capacity")

  #expect(try await store.purgeAttempts(at: now, longest: day) == 1, "bert's bucket, which is full again")
  #expect(try await store.purgeAttempts(at: now, longest: day) == 0)
  #expect(try await isAbout(store.takeTry(of: anna, at: now), hour))
  #expect(try await store.takeTry(of: bert, at: now) == nil)
  // The clock was set back.
  try await pass(.seconds(-3 * 86_400))
  #expect(try await isAbout(store.takeTry(of: anna, at: now), hour), "the wait is never days long")
  #expect(try await store.purgeAttempts(at: now, longest: day) == 2)
  #expect(try await store.takeTry(of: anna, at: now) == nil)

  let crowd = bucket("crowd", burst: 5)
  for _ in 0..<2 {
    let time = now
    let waits = try await withThrowingTaskGroup(of: Interval?.self) { group in
      for number in 0..<40 {
        let either = number.isMultiple(of: 2) ? store : other
        group.addTask { try await either.takeTry(of: crowd, at: time) }
      }
      return try await group.reduce(into: [Interval?]()) { $0.append($1) }
    }
    #expect(waits.filter { $0 == nil }.count == 5, "each sign-in attempt is acquired exactly once")
    #expect(waits.compactMap(\.self).allSatisfy { $0 > .zero && $0 <= hour })
    try await pass(day)
  }
}
