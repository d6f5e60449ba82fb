internal import MienCore
internal import MienPlatform
public import MienChecks
public import MienCaptures
public import MienScanService
internal import Testing

/// Conformance test for stores that delete checks with the data created by their tokens, and that enforce storage
/// quotas.
public func checkErasure(
  _ make: () async throws -> some CheckStore & LockoutStore & ScanStore & CaptureStore
) async throws {
  try await checkOwnership(make())
  try await checkQuotas(make())
  try await checkCaptureLimits(make())
}

private let time = UnixTime(milliseconds: 1000)

private func upload(_ letter: Character) throws -> UploadID {
  try #require(UploadID("upl_" + String(repeating: letter, count: 32)))
}

private func scan(_ letter: Character, of check: CheckRecord? = nil, bytes: Int = 10) throws -> ScanRecord {
  let name = String(repeating: letter, count: 32)
  return ScanRecord(
    id: try #require(ScanID("scn_" + name)), check: check?.id, kind: .face, photosExpected: 0, created: time,
    changed: time, status: .uploading,
    files: [
      ScanRecord.File(
        name: "a", bytes: bytes, received: 0, type: "application/octet-stream",
        upload: try upload(letter))
    ])
}

private func capture(_ seed: UInt64, of check: CheckRecord? = nil, owner: SecretDigest? = nil) throws -> CaptureRecord {
  let sample = try sampleCapture(seed, photo: UInt8(seed))
  return CaptureRecord(
    id: sample.id, owner: owner, check: check?.id, receipt: sample.receipt, received: sample.received,
    photo: sample.photo, photoType: sample.photoType, depth: sample.depth, motion: sample.motion,
    metadata: sample.metadata, detection: sample.detection, claims: sample.claims, signature: nil,
    state: sample.state)
}

private func checkOwnership(_ store: some CheckStore & LockoutStore & ScanStore & CaptureStore) async throws {
  let (first, second) = (try sampleCheck("chk_first"), try sampleCheck("chk_second"))
  for check in [first, second] { try await store.create(check) }
  let person = try #require(first.person)
  let (one, two, free) = (try scan("a", of: first), try scan("b", of: second), try scan("c"))
  for scan in [one, two, free] { try await store.save(scan, owner: nil, request: nil) }
  let (shot, other) = (try capture(1, of: first), try capture(2))
  for capture in [shot, other] { _ = try await store.save(capture) }

  #expect(try await store.scan(one.id)?.check == first.id)
  #expect(try await store.scan(free.id)?.check == nil)
  #expect(try await store.capture(shot.id)?.check == first.id)
  #expect(try await store.scans(of: first.id) == [one.id])
  #expect(Set(try await store.scans(of: person)) == [one.id, two.id])
  #expect(try await store.captures(of: first.id) == [shot.id])
  #expect(try await store.captures(of: person) == [shot.id])
  #expect(try await store.scansWithoutCheck().isEmpty)
  #expect(try await store.capturesWithoutCheck().isEmpty)

  let erased = try await store.delete(first.id)
  #expect(erased[.checks] == 1)
  #expect(try await store.delete(first.id).isEmpty)
  #expect(try await store.scansWithoutCheck() == [one.id], "a scan without its check is found")
  #expect(try await store.capturesWithoutCheck() == [shot.id])
  let late = await #expect(throws: StoreError.self) {
    try await store.save(scan("d", of: first), owner: nil, request: nil)
  }
  #expect(late?.code == .missing, "nothing can be added to a deleted check")
  let lateCapture = await #expect(throws: StoreError.self) { _ = try await store.save(capture(3, of: first)) }
  #expect(lateCapture?.code == .missing)
}

private func checkQuotas(_ store: some CheckStore & ScanStore & CaptureStore) async throws {
  let (owner, other) = (SecretDigest(of: "one key"), SecretDigest(of: "another key"))
  let first = try scan("e", bytes: 600)
  try await store.save(first, owner: owner, request: nil, quota: 1000)
  func refusal(_ work: () async throws -> Void) async -> StoreError.Code? {
    do {
      try await work()
      return nil
    } catch {
      return (error as? StoreError)?.code
    }
  }
  #expect(
    await refusal { try await store.save(scan("f", bytes: 401), owner: owner, request: nil, quota: 1000) } == .full)
  #expect(try await store.scan(scan("f").id) == nil, "a rejected scan is not stored")
  try await store.save(scan("g", bytes: 401), owner: other, request: nil, quota: 1000)
  try await store.save(scan("h", bytes: 401), owner: nil, request: nil, quota: 1000)
  let more = ScanRecord.File(
    name: "b", bytes: 401, received: 0, type: "x", upload: try upload("x"))
  func limits(_ bytes: Int) -> ScanFileLimits { ScanFileLimits(files: 10, bytes: 10_000, ownerBytes: bytes) }
  #expect(try await store.addFile(more, to: first.id, within: limits(1000), at: time) == .overQuota)
  #expect(try await store.addFile(more, to: first.id, within: limits(1001), at: time) == .added)
  // A capture's photo, depth map and frames count like files of scans.
  let shot = try capture(4, owner: owner)
  #expect(shot.storedBytes > 0)
  #expect(await refusal { _ = try await store.save(shot, quota: 1000 + shot.storedBytes) } == .full)
  _ = try await store.save(shot, quota: 1001 + shot.storedBytes)
  #expect(try await store.capture(shot.id)?.owner == owner)
  let rest = 1001 + shot.storedBytes
  #expect(await refusal { try await store.save(scan("i", bytes: 1), owner: owner, request: nil, quota: rest) } == .full)
  _ = try await store.deleteScan(first.id)
  try await store.save(scan("i", bytes: 1), owner: owner, request: nil, quota: rest)

  // Of many concurrent requests, only those within the quota are accepted.
  let crowd = SecretDigest(of: "crowd")
  let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
    for letter in "jklmnopq" {
      group.addTask {
        do {
          try await store.save(scan(letter, bytes: 300), owner: crowd, request: nil, quota: 1000)
          return true
        } catch let error as StoreError where error.code == .full {
          return false
        }
      }
    }
    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
  #expect(kept == 3)
}

private func checkCaptureLimits(_ store: some CheckStore & CaptureStore) async throws {
  let (first, second) = (try sampleCheck("chk_first"), try sampleCheck("chk_second"))
  for check in [first, second] { try await store.create(check) }
  @Sendable func save(_ seed: UInt64, of check: CheckRecord?, _ limits: CheckCaptureLimits) async throws -> Bool {
    do {
      _ = try await store.save(capture(seed, of: check), quota: nil, checkLimits: limits)
      return true
    } catch let error as StoreError where error.code == .full {
      return false
    }
  }
  let many = CheckCaptureLimits(count: 2, bytes: 1 << 30)
  #expect(try await save(1, of: first, many))
  // Of many concurrent requests, only those within the limit are accepted.
  let kept = try await withThrowingTaskGroup(of: Bool.self) { group in
    for seed in 2..<8 as Range<UInt64> { group.addTask { try await save(seed, of: first, many) } }
    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
  #expect(kept == 1)
  #expect(try await store.captures(of: first.id).count == 2)
  #expect(try await save(8, of: second, many), "each check has its own limits")
  #expect(try await save(9, of: nil, many))
  let stored = try await store.capture(try #require(try await store.captures(of: second.id).first))
  let size = try #require(stored).storedBytes
  #expect(try await !save(10, of: second, CheckCaptureLimits(count: 9, bytes: 2 * size - 1)))
  #expect(try await save(10, of: second, CheckCaptureLimits(count: 9, bytes: 2 * size)))
}
