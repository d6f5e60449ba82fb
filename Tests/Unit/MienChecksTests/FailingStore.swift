import MienLiveness
import MienCore
import MienPlatform
import MienSecurity
import MienChecks
import MienStore
import Synchronization

/// Real store with simulated failures: of writing verdicts, as on a full disk, and of reading some checks.
final class FailingStore: CheckStore, EnrollmentStore, EncryptedSecretStore, CompatibilitySessionStore, ImageStore,
  LockoutStore, ClipStore, SnapshotStore, TemplateStore
{
  private let store: SQLiteStore
  private let isBroken = Mutex(false)
  private let unreadable = Mutex<Set<CheckID>>([])

  init(_ store: SQLiteStore) {
    self.store = store
  }

  func breakDeciding(_ broken: Bool) {
    isBroken.withLock { $0 = broken }
  }

  func damage(_ id: CheckID) {
    unreadable.withLock { _ = $0.insert(id) }
  }

  func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], template: FaceReference?,
    counting rules: LockoutSettings?, under epoch: Int?
  ) async throws {
    if isBroken.withLock({ $0 }) { throw StoreError(.unavailable, reason: "The disk is full.") }
    try await store.decide(id, result, keeping: images, template: template, counting: rules, under: nil)
  }

  func check(_ id: CheckID, unless version: Int?) async throws -> CheckReading? {
    try await store.check(id, unless: version)
  }
  var isShared: Bool { store.isShared }
  func acquire(_ id: CheckID, at now: UnixTime) async throws -> CheckAcquisition? {
    if unreadable.withLock({ $0.contains(id) }) { throw StoreError(.unavailable, reason: "The check cannot be read.") }
    return try await store.acquire(id, at: now)
  }
  func save(_ snapshots: [CheckSnapshot], at now: UnixTime) async throws -> Set<CheckID> {
    try await store.save(snapshots, at: now)
  }
  func release() async throws { try await store.release() }

  func create(_ check: CheckRecord) async throws { try await store.create(check) }
  func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await store.check(id)
  }
  func checks(_ query: CheckListQuery) async throws -> RecordPage<CheckSummary> { try await store.checks(query) }
  func choose(_ tasks: CheckTasks, bitsOfChoice: Double, for id: CheckID) async throws -> Bool {
    try await store.choose(tasks, bitsOfChoice: bitsOfChoice, for: id)
  }
  func declineMatch(of id: CheckID) async throws -> Bool { try await store.declineMatch(of: id) }
  func expired(before time: UnixTime, limit: Int) async throws -> [CheckID] {
    try await store.expired(before: time, limit: limit)
  }
  func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    try await store.deleteChecks(decidedBefore: time, limit: limit)
  }
  func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)] {
    try await store.pendingClips(limit: limit)
  }
  func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws { try await store.endClip(of: id, bytes) }
  func clip(of id: CheckID) async throws -> ClipRecord? { try await store.clip(of: id) }
  func deleteClips(decidedBefore time: UnixTime) async throws -> Int {
    try await store.deleteClips(decidedBefore: time)
  }
  func enroll(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await store.enroll(person, thresholds, at: time)
  }
  func thresholds(of person: PersonID) async throws -> DepthThresholds? { try await store.thresholds(of: person) }
  func delete(_ id: CheckID) async throws -> ErasureCounts { try await store.delete(id) }
  func save(_ secret: EncryptedSecret) async throws { try await store.save(secret) }
  func secret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> EncryptedSecret? {
    try await store.secret(kind, name)
  }
  func secrets(_ kind: EncryptedSecret.Kind) async throws -> [EncryptedSecret] { try await store.secrets(kind) }
  func removeSecret(_ kind: EncryptedSecret.Kind, _ name: String) async throws -> Bool {
    try await store.removeSecret(kind, name)
  }
  func create(_ check: CheckRecord, _ session: CompatibilitySession) async throws -> (CheckID, CompatibilitySession)? {
    try await store.create(check, session)
  }
  func compatibilitySession(of id: CheckID) async throws -> CompatibilitySession? {
    try await store.compatibilitySession(of: id)
  }
  func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutPolicy] {
    try await store.lockouts(of: subjects)
  }
  func purgeLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await store.purgeLockouts(expiredBy: time)
  }
  func delete(_ person: PersonID) async throws -> ErasureCounts { try await store.delete(person) }
  func keptTemplate(of check: CheckID) async throws -> FaceReference? { try await store.keptTemplate(of: check) }
  func template(of person: PersonID) async throws -> EnrolledTemplate? { try await store.template(of: person) }
  func enroll(_ person: PersonID, _ template: EnrolledTemplate) async throws {
    try await store.enroll(person, template)
  }
  func deleteTemplates(of person: PersonID) async throws -> Int { try await store.deleteTemplates(of: person) }
  func deleteKeptTemplates(decidedBefore time: UnixTime) async throws -> Int {
    try await store.deleteKeptTemplates(decidedBefore: time)
  }
  func images(of id: CheckID) async throws -> [StoredImage] { try await store.images(of: id) }
  func deletePictures(decidedBefore time: UnixTime) async throws -> Int {
    try await store.deletePictures(decidedBefore: time)
  }
}
