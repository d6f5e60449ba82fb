public import MienPlatform
public import MienCore

/// Filters for a list of scans, newest first.
public struct ScanQuery: Hashable, Sendable {
  public var subject: ScanSubjectID?
  /// Creation time range, in milliseconds.
  public var created: ClosedRange<Int64>?
  public var status: ScanRecord.Status?
  public var label: String?
  /// Part of the label or of the subject's name.
  public var text: String?
  /// Cursor after which the list continues.
  public var after: PageCursor?
  public var limit = 50

  public init() {}
}

/// Filters for a list of subjects: by name if limited to a due date, otherwise newest first.
public struct ScanSubjectQuery: Hashable, Sendable {
  /// Part of the name or of the note.
  public var text: String?
  /// Due on this day, `YYYY-MM-DD`.
  public var due: String?
  public var after: PageCursor?
  public var limit = 50

  public init() {}
}

/// A page of a list.
public struct ScanPage<Item: Sendable>: Sendable {
  public let items: [Item]
  /// Total number of items.
  public let total: Int
  /// Cursor of the next page; `nil` at the end.
  public let next: PageCursor?

  public init(items: [Item], total: Int, next: PageCursor?) {
    self.items = items
    self.total = total
    self.next = next
  }
}

/// The external data of deleted database records.
public struct DeletedScanBlobs: Hashable, Sendable {
  public var scans = 0
  public var blobs: [BlobID] = []
  public var uploads: [UploadID] = []

  public init() {}
}

extension ScanStore {
  /// Saves a scan with its files, without a quota.
  public func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?) async throws {
    try await save(scan, owner: owner, request: request, quota: nil)
  }
}

/// Stores scans, their file metadata and their subjects.
///
/// Acknowledged changes survive a crash of the process.
public protocol ScanStore: UploadPieceStore {
  /// Saves a scan with its files. Throws ``StoreError/Code/missing`` if its subject or check does not exist,
  /// `duplicate` if its owner already created a scan with this request name, and `full` if the owner's scans and
  /// captures would exceed `quota` bytes, which concurrent calls may not circumvent.
  func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws
  /// Returns the scan that an owner created with this request name; `nil` if there is none.
  func scan(of owner: SecretDigest?, request: String) async throws -> ScanID?
  /// Returns the scan with its files and results; `nil` if there is none.
  func scan(_ id: ScanID) async throws -> ScanRecord?
  func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord>
  /// Returns the number of an owner's scans that are waiting for files.
  func openScans(of owner: SecretDigest?) async throws -> Int
  /// Sets subject and label; returns `false` if there is no such scan.
  func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool
  /// Returns the newest finished scan of exactly these files; `nil` if there is none.
  func scan(ofContent digest: ContentDigest) async throws -> ScanID?
  /// Stores the combined digest of a scan's files.
  func setContent(_ digest: ContentDigest, of id: ScanID) async throws

  /// Returns the scan and file of an upload; `nil` if there is none.
  func upload(_ id: UploadID) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)?
  /// Adds a file to a scan that accepts files and has not reached its limits, which concurrent calls may not
  /// circumvent. Throws `duplicate` if the name is already used.
  func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult
  /// Resets the number of received bytes to those of the upload's chunks.
  func lost(_ upload: UploadID, at time: UnixTime) async throws
  /// Records that a file is complete; returns `false` if it was already, or does not exist.
  ///
  /// - Parameter blob: the blob of its first chunk.
  func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool
  /// Deletes an incoming file and returns what it had; `nil` if there was none.
  func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs?

  /// Changes a scan's status if it is one of `before`; returns `false` otherwise. From `uploading` only if all files
  /// are complete.
  func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool
  /// Sets the number of processing attempts of a scan.
  func setAttempts(_ attempts: Int, of id: ScanID) async throws
  /// Acquires the oldest queued scan for processing; returns `nil` if there is none.
  func acquire(at time: UnixTime) async throws -> ScanRecord?
  /// Requeues the scans acquired by this server without counting an attempt: for use after ``acquire(at:)`` failed, so
  /// that its outcome is unknown. Only while this server processes no scan; returns their number.
  func putBack(at time: UnixTime) async throws -> Int
  /// Returns the scans in progress; if several servers share the store, only those whose server has failed.
  func workingScans() async throws -> [ScanRecord]
  /// Records the progress of a scan; returns `false` if it is no longer in progress: canceled, deleted or abandoned.
  func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool
  /// Stores all results atomically; returns `nil` if the scan is no longer in progress, otherwise the blobs of previous
  /// results.
  func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]?

  /// Deletes a scan; returns `nil` if there was none.
  func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs?
  /// Returns the scans created with a check's token, oldest first.
  func scans(of check: CheckID) async throws -> [ScanID]
  /// Returns the scans created with the tokens of a person's checks.
  func scans(of person: PersonID) async throws -> [ScanID]
  /// Returns at most 100 scans whose check no longer exists.
  func scansWithoutCheck() async throws -> [ScanID]
  /// Returns at most 100 scans that are incomplete, failed or canceled and have not changed since `time`.
  func abandonedScans(before time: UnixTime) async throws -> [ScanID]
  /// Returns at most 100 scans created before `time`.
  func scans(createdBefore time: UnixTime) async throws -> [ScanID]

  func save(_ subject: ScanSubject) async throws
  func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject?
  func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject>
  /// Updates a subject; returns `false` if it does not exist.
  func update(_ subject: ScanSubject) async throws -> Bool
  /// Returns all scans of a subject, oldest first.
  func scans(of subject: ScanSubjectID) async throws -> [ScanID]
  /// Deletes a subject with all its scans; returns `nil` if there was none.
  func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs?
}
