internal import MienCore
internal import MienPlatform
public import MienChecks
internal import Testing

/// Returns a check with all optional recordings enabled, for store tests.
private func filmedCheck(_ id: String) throws -> CheckRecord {
  CheckRecord(
    id: try #require(CheckID(id)), token: SecretDigest(of: "token of \(id)"), created: UnixTime(milliseconds: 1000),
    expires: UnixTime(milliseconds: 181_000), side: .subjectLeft, person: nil, expectsDepth: false, reference: nil,
    attempts: 3, auditImages: 2, keepsClip: true)
}

/// Conformance test for ``ClipStore``.
public func checkClipStore(_ make: () async throws -> some ClipStore & CheckStore) async throws {
  let store = try await make()
  let plain = try sampleCheck("chk_plain")
  let (filmed, unseen) = (try filmedCheck("chk_filmed"), try filmedCheck("chk_unseen"))
  for check in [plain, filmed, unseen] { try await store.create(check) }
  #expect(try await store.check(filmed.id)?.record == filmed)
  #expect(try await store.clip(of: filmed.id) == nil, "no clip is pending before the verdict")

  try await store.decide(plain.id, sampleResult())
  try await store.decide(filmed.id, sampleResult(.passed))
  try await store.decide(
    unseen.id,
    CheckResult(
      outcome: .timedOut, reason: "expired", decided: UnixTime(milliseconds: 5000), source: .none, frames: 0,
      findings: [], outboundPath: [], returnPath: []))
  let awaited = try await store.pendingClips(limit: 9)
  #expect(awaited.map(\.check) == [filmed.id], "only if a clip was requested and frames were received")
  #expect(try awaited.first?.decided == sampleResult(.passed).decided)
  #expect(try await store.pendingClips(limit: 0).isEmpty)
  #expect(try await store.clip(of: filmed.id) == .pending)
  #expect(try await store.deleteClips(decidedBefore: UnixTime(milliseconds: 9999)) == 0, "pending clips remain")

  try await store.endClip(of: plain.id, [1])
  #expect(try await store.clip(of: plain.id) == nil)
  try await store.endClip(of: filmed.id, [1, 2, 3])
  #expect(try await store.clip(of: filmed.id) == .ready([1, 2, 3]))
  try await store.endClip(of: filmed.id, nil)
  #expect(try await store.clip(of: filmed.id) == .ready([1, 2, 3]), "the first outcome is final")
  #expect(try await store.pendingClips(limit: 9).isEmpty)
  #expect(try await store.deleteClips(decidedBefore: UnixTime(milliseconds: 5000)) == 0)
  #expect(try await store.deleteClips(decidedBefore: UnixTime(milliseconds: 5001)) == 1)
  #expect(try await store.clip(of: filmed.id) == nil)

  let (broken, gone) = (try filmedCheck("chk_broken"), try filmedCheck("chk_gone"))
  for check in [broken, gone] {
    try await store.create(check)
    try await store.decide(check.id, sampleResult())
  }
  try await store.endClip(of: broken.id, nil)
  #expect(try await store.clip(of: broken.id) == .failed)
  #expect(try await !store.delete(gone.id).isEmpty)
  #expect(try await store.clip(of: gone.id) == nil)
  #expect(try await store.pendingClips(limit: 9).isEmpty)
  try await store.endClip(of: gone.id, [1])
  #expect(try await store.clip(of: gone.id) == nil, "deleting a check deletes its clip")

  #expect(try await store.deleteChecks(decidedBefore: UnixTime(milliseconds: 5000), limit: 9) == 0)
  #expect(try await store.deleteChecks(decidedBefore: UnixTime(milliseconds: 5001), limit: 3) == 3)
  #expect(try await store.deleteChecks(decidedBefore: UnixTime(milliseconds: 5001), limit: 9) == 1)
  for check in [plain, filmed, unseen, broken] { #expect(try await store.check(check.id) == nil) }
}
