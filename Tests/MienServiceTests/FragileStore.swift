import MienChallenges
import MienModel
import MienService
import MienStoreSQLite
import Synchronization

/// A real store whose writing of verdicts can be broken, as a full disk breaks it.
final class FragileStore: CheckStore, KeyStore, EnrolmentStore {
  private let store: SQLiteStore
  private let isBroken = Mutex(false)

  init(_ store: SQLiteStore) {
    self.store = store
  }

  func breakDeciding(_ broken: Bool) {
    isBroken.withLock { $0 = broken }
  }

  func decide(_ id: SessionID, _ result: CheckResult) async throws {
    if isBroken.withLock({ $0 }) { throw StoreError(.unavailable, reason: "The disk is full.") }
    try await store.decide(id, result)
  }

  func create(_ check: CheckRecord) async throws { try await store.create(check) }
  func check(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await store.check(id)
  }
  func expired(before time: UnixTime, limit: Int) async throws -> [SessionID] {
    try await store.expired(before: time, limit: limit)
  }
  func hasNoKeys() async throws -> Bool { try await store.hasNoKeys() }
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws { try await store.addKey(digest, at: time) }
  func hasKey(_ digest: SecretDigest) async throws -> Bool { try await store.hasKey(digest) }
  func enrol(_ person: PersonID, _ thresholds: DepthThresholds, at time: UnixTime) async throws -> Int {
    try await store.enrol(person, thresholds, at: time)
  }
  func thresholds(of person: PersonID) async throws -> DepthThresholds? { try await store.thresholds(of: person) }
}
