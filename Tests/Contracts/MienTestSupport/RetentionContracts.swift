internal import MienCore
public import MienPlatform
public import MienChecks
public import MienCaptures
public import MienScanService
internal import Testing

/// Conformance test for ``RetentionStore``: it counts exactly the records that a purge deletes.
public func checkRetentionStore(
  _ make: () async throws -> some RetentionStore & CheckStore & CaptureStore & ScanStore
) async throws {
  let store = try await make()
  let late = UnixTime(milliseconds: 9_000_000_000_000)
  for kind in RetentionRule.allCases {
    #expect(try await store.aged(kind, before: late) == ExpiredRecordCount(count: 0, before: 0, oldest: nil))
  }
  for name in ["chk_one", "chk_two", "chk_open"] { try await store.create(try sampleCheck(name)) }
  for name in ["chk_one", "chk_two"] {
    try await store.decide(try #require(CheckID(name)), sampleResult(.passed), keeping: [], counting: nil, under: nil)
  }
  let decided = try sampleResult(.passed).decided
  let after = UnixTime(milliseconds: decided.milliseconds + 1)
  #expect(try await store.aged(.checks, before: decided) == ExpiredRecordCount(count: 2, before: 0, oldest: decided))
  #expect(try await store.aged(.checks, before: after) == ExpiredRecordCount(count: 2, before: 2, oldest: decided))
  #expect(try await store.deleteChecks(decidedBefore: decided, limit: 9) == 0)
  #expect(try await store.deleteChecks(decidedBefore: after, limit: 9) == 2)
  #expect(try await store.aged(.checks, before: after).count == 0)

  let capture = try sampleCapture(7, photo: 1)
  _ = try await store.save(capture)
  let received = try await store.aged(.captures, before: late)
  #expect(received == ExpiredRecordCount(count: 1, before: 1, oldest: capture.received))
  #expect(try await store.aged(.captures, before: capture.received).before == 0)
  #expect(try await store.captures(receivedBefore: capture.received, limit: 9).isEmpty)
}
