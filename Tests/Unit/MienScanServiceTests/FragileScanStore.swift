import MienCore
import MienPlatform
import MienScanService
import MienStore
import Synchronization

/// Real store with failures like those of a networked database: it is unavailable for a while, another operation
/// happens before a write, or the connection is lost during the commit and the result is unknown.
final class FragileScanStore: ScanStore {
  /// Operation that can fail.
  enum Call { case keep, whole, acquire, finish }

  private struct Faults {
    var isAway = false
    var lostReplies: Set<Call> = []
    var before: [Call: @Sendable () async throws -> Void] = [:]
  }

  /// Underlying store, accessible to tests while this one is unavailable.
  let kept: SQLiteStore
  private let faults = Mutex(Faults())

  init(_ store: SQLiteStore) {
    kept = store
  }

  /// Fails all operations until `comeBack()`.
  func goAway() {
    faults.withLock { $0.isAway = true }
  }

  func comeBack() {
    faults.withLock { $0.isAway = false }
  }

  /// Performs these operations but reports a failure.
  func loseReplies(_ lose: Bool, to calls: Set<Call> = [.keep]) {
    faults.withLock { $0.lostReplies = lose ? calls : [] }
  }

  /// Runs a closure before the next such operation.
  func before(_ call: Call, _ act: @escaping @Sendable () async throws -> Void) {
    faults.withLock { $0.before[call] = act }
  }

  private var store: SQLiteStore {
    get throws {
      guard !faults.withLock({ $0.isAway }) else { throw StoreError(.unavailable, reason: "The database is away.") }
      return kept
    }
  }

  private func perform<Value>(_ call: Call, _ act: (SQLiteStore) async throws -> Value) async throws -> Value {
    if let before = faults.withLock({ $0.before.removeValue(forKey: call) }) { try await before() }
    let value = try await act(store)
    if faults.withLock({ $0.lostReplies.contains(call) }) {
      throw StoreError(.unavailable, reason: "The connection broke.")
    }
    return value
  }

  func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws {
    try await perform(.keep) { try await $0.save(scan, owner: owner, request: request, quota: quota) }
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
  func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult {
    try await store.addFile(file, to: id, within: limits, at: time)
  }
  func pieces(of upload: UploadID) async throws -> [StoredChunk] { try await store.pieces(of: upload) }
  func take(_ upload: UploadID, at offset: Int, for writer: String) async throws -> [BlobID]? {
    try await store.take(upload, at: offset, for: writer)
  }
  func add(_ piece: StoredChunk, to upload: UploadID, by writer: String, at time: UnixTime) async throws -> Bool {
    try await store.add(piece, to: upload, by: writer, at: time)
  }
  func remove(_ pieces: [StoredChunk]) async throws { try await store.remove(pieces) }
  func abandonedUploads() async throws -> [UploadID] { try await store.abandonedUploads() }
  func lost(_ upload: UploadID, at time: UnixTime) async throws { try await store.lost(upload, at: time) }
  func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool {
    try await perform(.whole) { try await $0.whole(upload, type: type, blob: blob, digest: digest, at: time) }
  }
  func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs? { try await store.deleteUpload(id) }
  func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool {
    try await store.move(id, from: before, to: status, problem: problem, at: time)
  }
  func setAttempts(_ attempts: Int, of id: ScanID) async throws { try await store.setAttempts(attempts, of: id) }
  func acquire(at time: UnixTime) async throws -> ScanRecord? {
    try await perform(.acquire) { try await $0.acquire(at: time) }
  }
  func putBack(at time: UnixTime) async throws -> Int { try await store.putBack(at: time) }
  func workingScans() async throws -> [ScanRecord] { try await store.workingScans() }
  func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool {
    try await store.progressed(id, progress, at: time)
  }
  func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]? {
    try await perform(.finish) { try await $0.finish(id, outcome: outcome, results: results, at: time) }
  }
  func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs? { try await store.deleteScan(id) }
  func scans(of check: CheckID) async throws -> [ScanID] { try await store.scans(of: check) }
  func scans(of person: PersonID) async throws -> [ScanID] { try await store.scans(of: person) }
  func scansWithoutCheck() async throws -> [ScanID] { try await store.scansWithoutCheck() }
  func abandonedScans(before time: UnixTime) async throws -> [ScanID] { try await store.abandonedScans(before: time) }
  func scans(createdBefore time: UnixTime) async throws -> [ScanID] { try await store.scans(createdBefore: time) }
  func save(_ subject: ScanSubject) async throws { try await store.save(subject) }
  func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject? { try await store.scanSubject(id) }
  func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject> {
    try await store.scanSubjects(query)
  }
  func update(_ subject: ScanSubject) async throws -> Bool { try await store.update(subject) }
  func scans(of subject: ScanSubjectID) async throws -> [ScanID] { try await store.scans(of: subject) }
  func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs? {
    try await store.deleteScanSubject(id)
  }
}
