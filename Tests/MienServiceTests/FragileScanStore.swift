import MienModel
import MienService
import MienStoreSQLite
import Synchronization

/// A real store of which nobody hears that it has kept a scan, as when a connection breaks over the commit.
final class FragileScanStore: ScanStore {
  private let store: SQLiteStore
  private let losesReplies = Mutex(false)

  init(_ store: SQLiteStore) {
    self.store = store
  }

  func loseReplies(_ lose: Bool) {
    losesReplies.withLock { $0 = lose }
  }

  func keep(_ scan: ScanRecord, owner: SecretDigest?, request: String?) async throws {
    try await store.keep(scan, owner: owner, request: request)
    if losesReplies.withLock({ $0 }) { throw StoreError(.unavailable, reason: "The connection broke.") }
  }

  func scan(of owner: SecretDigest?, request: String) async throws -> ScanID? {
    try await store.scan(of: owner, request: request)
  }
  func scan(_ id: ScanID) async throws -> ScanRecord? { try await store.scan(id) }
  func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord> { try await store.scans(query) }
  func openScans(of owner: SecretDigest?) async throws -> Int { try await store.openScans(of: owner) }
  func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool {
    try await store.describe(id, subject: subject, label: label)
  }
  func scan(ofContent digest: ContentDigest) async throws -> ScanID? { try await store.scan(ofContent: digest) }
  func setContent(_ digest: ContentDigest, of id: ScanID) async throws { try await store.setContent(digest, of: id) }
  func upload(_ id: UploadID) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)? {
    try await store.upload(id)
  }
  func addFile(_ file: ScanRecord.File, to id: ScanID, at time: UnixTime) async throws -> Bool {
    try await store.addFile(file, to: id, at: time)
  }
  func received(_ bytes: Int, of upload: UploadID, at time: UnixTime) async throws {
    try await store.received(bytes, of: upload, at: time)
  }
  func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool {
    try await store.whole(upload, type: type, blob: blob, digest: digest, at: time)
  }
  func eraseUpload(_ id: UploadID) async throws -> ErasedScans? { try await store.eraseUpload(id) }
  func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool {
    try await store.move(id, from: before, to: status, problem: problem, at: time)
  }
  func setAttempts(_ attempts: Int, of id: ScanID) async throws { try await store.setAttempts(attempts, of: id) }
  func takeUp(at time: UnixTime) async throws -> ScanRecord? { try await store.takeUp(at: time) }
  func workingScans() async throws -> [ScanRecord] { try await store.workingScans() }
  func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool {
    try await store.progressed(id, progress, at: time)
  }
  func finish(
    _ id: ScanID, outcome: ScanOutcome, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]? {
    try await store.finish(id, outcome: outcome, results: results, at: time)
  }
  func eraseScan(_ id: ScanID) async throws -> ErasedScans? { try await store.eraseScan(id) }
  func abandonedScans(before time: UnixTime) async throws -> [ScanID] { try await store.abandonedScans(before: time) }
  func scans(createdBefore time: UnixTime) async throws -> [ScanID] { try await store.scans(createdBefore: time) }
  func wantsUpload(_ id: UploadID) async throws -> Bool { try await store.wantsUpload(id) }
  func keep(_ subject: ScanSubject) async throws { try await store.keep(subject) }
  func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject? { try await store.scanSubject(id) }
  func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    try await store.scanSubjects(query)
  }
  func update(_ subject: ScanSubject) async throws -> Bool { try await store.update(subject) }
  func scans(of subject: ScanSubjectID) async throws -> [ScanID] { try await store.scans(of: subject) }
  func eraseScanSubject(_ id: ScanSubjectID) async throws -> ErasedScans? { try await store.eraseScanSubject(id) }
}
