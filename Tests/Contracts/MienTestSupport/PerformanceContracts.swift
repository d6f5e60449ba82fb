internal import MienCore
internal import MienPlatform
public import MienMessageService
internal import Testing

/// Conformance test for ``PerformanceStore``.
///
/// - Parameter make: opens the same database again, like another server or a restart.
public func checkPerformanceStore(_ make: () async throws -> some PerformanceStore) async throws {
  let first = try await make()
  let time = UnixTime(milliseconds: 10_000)
  let id = try #require(CheckID("prf_live"))
  func state(
    _ revision: Int, epoch: Int = 1, closed: Bool = false, expires: Int64 = 190_000, _ name: String = "prf_live",
    size: Int = 29
  ) throws -> PerformanceSnapshot {
    PerformanceSnapshot(
      id: try #require(CheckID(name)), epoch: epoch, revision: revision, isClosed: closed,
      expires: UnixTime(milliseconds: expires),
      state: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ revision) })
  }
  func taken(_ store: some PerformanceStore, at time: UnixTime, _ name: String = "prf_live") async throws
    -> PerformanceLease.Hold?
  {
    guard case .held(let hold)? = try await store.takePerformance(try #require(CheckID(name)), at: time) else {
      return nil
    }
    return hold
  }

  #expect(try await first.takePerformance(id, at: time) == nil, "the performance does not exist")
  try await first.begin(try state(0, expires: 40_000), at: time)
  let twice = await #expect(throws: StoreError.self) { try await first.begin(try state(0), at: time) }
  #expect(twice?.code == .duplicate)
  let begun = try #require(try await taken(first, at: time))
  #expect(try begun.revision == 0 && begun.state == state(0).state && begun.age >= .zero)
  #expect(try await taken(first, at: time)?.epoch == begun.epoch, "the server already holds it")

  // Newer revisions replace older ones, never the reverse.
  let kept = try await first.save(
    [try state(3, epoch: begun.epoch), try state(1, epoch: begun.epoch, "prf_none")], at: time)
  #expect(kept == [id], "nothing is stored for a missing record")
  #expect(try await first.save([try state(2, epoch: begun.epoch), try state(3, epoch: begun.epoch)], at: time) == [])
  #expect(try await first.save([], at: time) == [])
  #expect(try await first.save([try state(9, epoch: begun.epoch, size: 30_000)], at: time) == [id])
  let newest = try #require(try await taken(first, at: time))
  #expect(try newest.revision == 9 && newest.state == state(9, size: 30_000).state)

  // Another server, or a restart.
  try await first.letPerformancesGo()
  let second = try await make()
  var other = try #require(try await taken(second, at: time))
  #expect(other.revision == 9 && other.state == newest.state)
  if second.isShared {
    #expect(other.epoch == begun.epoch + 1)
    #expect(try await first.save([try state(10, epoch: begun.epoch)], at: time) == [], "the second server holds it now")
    #expect(try await first.save([try state(10, epoch: other.epoch)], at: time) == [], "not even with the newer epoch")
    // A lease that is not renewed may expire before the second server uses it: a busy machine may need several
    // attempts.
    var isRefused = false
    for _ in 0..<100 where !isRefused {
      other = try await taken(second, at: time) ?? other
      if case .elsewhere? = try await first.takePerformance(id, at: time) { isRefused = true }
    }
    #expect(isRefused, "the second server has just acquired it")
    try await first.letPerformancesGo()
    other = try #require(try await taken(second, at: time))
  }

  // A closed performance is not leased, and cannot be reopened.
  #expect(try await second.save([try state(10, epoch: other.epoch, closed: true)], at: time) == [id])
  for store in [first, second] {
    let closed = try #require(try await taken(store, at: time), "no server holds it")
    #expect(closed.revision == 10 && closed.epoch == other.epoch)
    #expect(try await store.save([try state(99, epoch: other.epoch)], at: time) == [])
  }
  // Of two updates of the same revision, one succeeds.
  #expect(try await first.save([try state(11, epoch: other.epoch, closed: true)], at: time) == [id])
  #expect(try await second.save([try state(11, epoch: other.epoch, closed: true)], at: time) == [])

  // An acquired performance is not purged before its first state is saved.
  try await first.begin(try state(0, expires: 40_000, "prf_late"), at: time)
  try await first.begin(try state(0, expires: 40_000, "prf_idle"), at: time)
  #expect(try await first.purgePerformances(at: UnixTime(milliseconds: 39_999), limit: 9) == 0)
  #expect(try await taken(first, at: UnixTime(milliseconds: 39_999), "prf_late") != nil)
  #expect(try await first.purgePerformances(at: UnixTime(milliseconds: 40_000), limit: 9) == 1)
  #expect(try await taken(first, at: UnixTime(milliseconds: 40_000), "prf_idle") == nil)
  #expect(try await first.purgePerformances(at: UnixTime(milliseconds: 190_000), limit: 1) == 1)
  #expect(try await first.purgePerformances(at: UnixTime(milliseconds: 190_000), limit: 9) == 1)
  #expect(try await first.takePerformance(id, at: time) == nil)
}
