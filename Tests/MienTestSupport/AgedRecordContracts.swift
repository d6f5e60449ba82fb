internal import MienModel
public import MienService
internal import Testing

/// What every ``AgedRecordStore`` keeps to: it counts what the sweeps erase, and nothing else.
public func checkAgedRecordStore(
  _ make: () async throws -> some AgedRecordStore & CheckStore & CaptureStore & ScanStore
) async throws {
  let store = try await make()
  let late = UnixTime(milliseconds: 9_000_000_000_000)
  for kind in AgedKind.allCases {
    #expect(try await store.aged(kind, before: late) == AgedRecords(count: 0, before: 0, oldest: nil))
  }
  for name in ["chk_one", "chk_two", "chk_open"] { try await store.create(try sampleCheck(name)) }
  for name in ["chk_one", "chk_two"] {
    try await store.decide(try #require(SessionID(name)), sampleResult(.passed), keeping: [], counting: nil, under: nil)
  }
  let decided = try sampleResult(.passed).decided
  let after = UnixTime(milliseconds: decided.milliseconds + 1)
  #expect(try await store.aged(.checks, before: decided) == AgedRecords(count: 2, before: 0, oldest: decided))
  #expect(try await store.aged(.checks, before: after) == AgedRecords(count: 2, before: 2, oldest: decided))
  #expect(try await store.eraseChecks(decidedBefore: decided, limit: 9) == 0)
  #expect(try await store.eraseChecks(decidedBefore: after, limit: 9) == 2)
  #expect(try await store.aged(.checks, before: after).count == 0)

  let capture = try sampleCapture(7, photo: 1)
  _ = try await store.keep(capture)
  let received = try await store.aged(.captures, before: late)
  #expect(received == AgedRecords(count: 1, before: 1, oldest: capture.received))
  #expect(try await store.aged(.captures, before: capture.received).before == 0)
  #expect(try await store.captures(receivedBefore: capture.received, limit: 9).isEmpty)
}
