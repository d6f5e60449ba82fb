import MienChallenges
import MienModel
import MienService
import MienStoreSQLite
import Synchronization

/// A real store whose writing of verdicts can be broken, as a full disk breaks it, and that cannot read some checks.
final class FragileStore: CheckStore, KeyStore, EnrolmentStore, SealedSecretStore, DialectSessionStore, PictureStore,
  SubjectStore, ClipStore, WebhookStore, SnapshotStore
{
  private let store: SQLiteStore
  private let isBroken = Mutex(false)
  private let unreadable = Mutex<Set<SessionID>>([])

  init(_ store: SQLiteStore) {
    self.store = store
  }

  func breakDeciding(_ broken: Bool) {
    isBroken.withLock { $0 = broken }
  }

  func damage(_ id: SessionID) {
    unreadable.withLock { _ = $0.insert(id) }
  }

  func decide(
    _ id: SessionID, _ result: CheckResult, keeping pictures: [KeptPicture], counting rules: LockoutSettings?,
    under epoch: Int?
  ) async throws {
    if isBroken.withLock({ $0 }) { throw StoreError(.unavailable, reason: "The disk is full.") }
    try await store.decide(id, result, keeping: pictures, counting: rules)
  }

  var isShared: Bool { store.isShared }
  func takeUp(_ id: SessionID, at now: UnixTime) async throws -> TakenCheck? {
    if unreadable.withLock({ $0.contains(id) }) { throw StoreError(.unavailable, reason: "The check cannot be read.") }
    return try await store.takeUp(id, at: now)
  }
  func keep(_ snapshots: [LiveSnapshot], at now: UnixTime) async throws -> Set<SessionID> {
    try await store.keep(snapshots, at: now)
  }
  func letGo() async throws { try await store.letGo() }

  func create(_ check: CheckRecord) async throws { try await store.create(check) }
  func check(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await store.check(id)
  }
  func expired(before time: UnixTime, limit: Int) async throws -> [SessionID] {
    try await store.expired(before: time, limit: limit)
  }
  func eraseChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    try await store.eraseChecks(decidedBefore: time, limit: limit)
  }
  func pendingClips(limit: Int) async throws -> [(check: SessionID, decided: UnixTime)] {
    try await store.pendingClips(limit: limit)
  }
  func endClip(of id: SessionID, _ bytes: [UInt8]?) async throws { try await store.endClip(of: id, bytes) }
  func clip(of id: SessionID) async throws -> KeptClip? { try await store.clip(of: id) }
  func eraseClips(decidedBefore time: UnixTime) async throws -> Int {
    try await store.eraseClips(decidedBefore: time)
  }
  func hasNoKeys() async throws -> Bool { try await store.hasNoKeys() }
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws { try await store.addKey(digest, at: time) }
  func hasKey(_ digest: SecretDigest) async throws -> Bool { try await store.hasKey(digest) }
  func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await store.enrol(person, thresholds, at: time)
  }
  func thresholds(of person: PersonID) async throws -> DepthThresholds? { try await store.thresholds(of: person) }
  func erase(_ id: SessionID) async throws -> ErasureCounts { try await store.erase(id) }
  func keep(_ secret: SealedSecret) async throws { try await store.keep(secret) }
  func secret(_ kind: SealedSecret.Kind, _ name: String) async throws -> SealedSecret? {
    try await store.secret(kind, name)
  }
  func secrets(_ kind: SealedSecret.Kind) async throws -> [SealedSecret] { try await store.secrets(kind) }
  func removeSecret(_ kind: SealedSecret.Kind, _ name: String) async throws -> Bool {
    try await store.removeSecret(kind, name)
  }
  func create(_ check: CheckRecord, _ session: DialectSession) async throws -> (SessionID, DialectSession)? {
    try await store.create(check, session)
  }
  func dialectSession(of id: SessionID) async throws -> DialectSession? { try await store.dialectSession(of: id) }
  func lockouts(of subjects: [LockoutSubject]) async throws -> [LockoutSubject: LockoutMachine] {
    try await store.lockouts(of: subjects)
  }
  func forgetLockouts(expiredBy time: UnixTime) async throws -> Int {
    try await store.forgetLockouts(expiredBy: time)
  }
  func erase(_ person: PersonID) async throws -> ErasureCounts { try await store.erase(person) }
  func pictures(of id: SessionID) async throws -> [KeptPicture] { try await store.pictures(of: id) }
  func erasePictures(decidedBefore time: UnixTime) async throws -> Int {
    try await store.erasePictures(decidedBefore: time)
  }
  func add(_ endpoint: WebhookEndpoint, atMost limit: Int) async throws -> Bool {
    try await store.add(endpoint, atMost: limit)
  }
  func webhooks() async throws -> [WebhookEndpoint] { try await store.webhooks() }
  func webhook(_ id: WebhookID) async throws -> WebhookEndpoint? { try await store.webhook(id) }
  func removeWebhook(_ id: WebhookID) async throws -> Bool { try await store.removeWebhook(id) }
  func rotate(_ id: WebhookID, to secret: [UInt8], keepingOldUntil until: UnixTime) async throws -> Bool {
    try await store.rotate(id, to: secret, keepingOldUntil: until)
  }
  func disable(_ id: WebhookID, at time: UnixTime, answer: String) async throws {
    try await store.disable(id, at: time, answer: answer)
  }
  func post(_ message: WebhookMessage) async throws { try await store.post(message) }
  func messages(of id: WebhookID, limit: Int) async throws -> [WebhookMessage] {
    try await store.messages(of: id, limit: limit)
  }
  func takeMessages(dueAt now: UnixTime, until: UnixTime, limit: Int) async throws -> [WebhookParcel] {
    try await store.takeMessages(dueAt: now, until: until, limit: limit)
  }
  func keep(body: [UInt8], of id: WebhookMessageID) async throws -> [UInt8]? {
    try await store.keep(body: body, of: id)
  }
  func settle(
    _ id: WebhookMessageID, after attempt: Int, as state: WebhookMessage.State, at time: UnixTime, answer: String
  ) async throws -> Bool {
    try await store.settle(id, after: attempt, as: state, at: time, answer: answer)
  }
  func waitingMessages() async throws -> Int { try await store.waitingMessages() }
  func forgetMessages(overBefore time: UnixTime) async throws -> Int {
    try await store.forgetMessages(overBefore: time)
  }
}
