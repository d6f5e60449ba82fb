internal import MienCore
internal import MienPlatform
public import MienChecks
internal import Testing

/// Conformance test for ``SnapshotStore``.
///
/// - Parameter make: opens the same database again, like another server or a restart.
public func checkSnapshotStore<Store: SnapshotStore & CheckStore>(_ make: () async throws -> Store) async throws {
  let first = try await make()
  let time = UnixTime(milliseconds: 10_000)
  let id = try #require(CheckID("chk_live"))
  #expect(try await first.acquire(id, at: time) == nil, "the check does not exist")
  for name in ["chk_live", "chk_other", "chk_decided"] { try await first.create(try sampleCheck(name)) }

  let began = try #require(try await first.acquire(id, at: time))
  #expect(try began.record == sampleCheck("chk_live") && began.result == nil)
  let hold = try #require(began.hold)
  #expect(hold.state == nil && hold.age == .zero && !hold.isOrphan && !hold.wasElsewhere)
  #expect(try await first.acquire(id, at: time)?.hold?.epoch == hold.epoch, "the server already holds it")

  func snapshot(_ name: String, _ epoch: Int, _ size: Int) throws -> CheckSnapshot {
    CheckSnapshot(
      check: try #require(CheckID(name)), epoch: epoch,
      state: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ epoch) })
  }
  let other = try #require(try await first.acquire(CheckID("chk_other") ?? id, at: time)?.hold)
  let kept = try await first.save(
    [try snapshot("chk_live", hold.epoch, 29), snapshot("chk_other", other.epoch, 9000), snapshot("chk_none", 1, 40)],
    at: time)
  #expect(try kept == [id, #require(CheckID("chk_other"))], "nothing is stored for a missing record")
  #expect(try await first.save([], at: time) == [])
  let newer = try snapshot("chk_live", hold.epoch, 12_000)
  #expect(try await first.save([newer], at: time) == [id])

  try await first.release()
  let second = try await make()
  let later = UnixTime(milliseconds: 13_000)
  var taken = try #require(try await second.acquire(id, at: later)?.hold)
  #expect(taken.state == newer.state && taken.isOrphan && taken.age >= .zero)
  if second.isShared {
    #expect(taken.epoch == hold.epoch + 1 && taken.wasElsewhere)
    #expect(try await first.save([newer], at: later) == [], "the first server no longer holds the check")
    let late = await #expect(throws: StoreError.self) {
      try await first.decide(id, sampleResult(.passed), keeping: [], counting: nil, under: hold.epoch)
    }
    #expect(late?.code == .leaseLost)
    #expect(try await second.check(id)?.result == nil)
    // A lease that is not renewed may expire before the second server uses it: a busy machine may need several
    // attempts.
    var isRefused = false
    for _ in 0..<100 where !isRefused {
      try await first.release()
      taken = try #require(try await second.acquire(id, at: later)?.hold)
      isRefused = try await first.acquire(id, at: later)?.hold == nil
    }
    #expect(isRefused, "the second server has just acquired it")
  } else {
    #expect(taken.age == .seconds(3))
  }
  #expect(try await second.acquire(id, at: later)?.hold?.state == newer.state)
  try await second.decide(id, sampleResult(.passed), keeping: [], counting: nil, under: taken.epoch)
  #expect(try await second.acquire(id, at: later)?.result?.outcome == .passed)
  #expect(try await second.acquire(id, at: later)?.hold == nil, "a decided check does not continue")
  #expect(try await second.save([try snapshot("chk_live", taken.epoch, 50)], at: later) == [])
  let again = await #expect(throws: StoreError.self) {
    try await first.decide(id, sampleResult(.failed), keeping: [], counting: nil, under: hold.epoch)
  }
  #expect(again?.code == .duplicate)

  // The state is deleted with the check.
  let erased = try #require(CheckID("chk_other"))
  #expect(try await !first.delete(erased).isEmpty)
  #expect(try await second.acquire(erased, at: later) == nil)
  try await first.create(try sampleCheck("chk_other"))
  #expect(try await first.acquire(erased, at: later)?.hold?.state == nil)
  let gone = await #expect(throws: StoreError.self) {
    try await first.decide(
      try #require(CheckID("chk_none")), sampleResult(.failed), keeping: [], counting: nil, under: 1)
  }
  #expect(gone?.code == .missing)
  // A check that was never started is decided by the expiration job.
  let expired = try #require(CheckID("chk_decided"))
  _ = try await first.acquire(expired, at: later)
  try await second.decide(expired, sampleResult(.failed), keeping: [], counting: nil, under: nil)
  #expect(try await first.check(expired)?.result?.outcome == .failed)
}
