public import MienCore

/// What to list of the scans. Newest come first.
public struct ScanQuery: Hashable, Sendable {
  public var subject: ScanSubjectID?
  /// Created within these milliseconds.
  public var created: ClosedRange<Int64>?
  public var status: ScanRecord.Status?
  public var label: String?
  /// Part of the label or of the subject's name.
  public var text: String?
  /// Goes on behind this scan.
  public var after: PageCursor?
  public var limit = 50

  public init() {}
}

/// Where a list goes on.
public struct PageCursor: Hashable, Sendable {
  public let milliseconds: Int64
  public let id: String

  public init(milliseconds: Int64, id: String) {
    self.milliseconds = milliseconds
    self.id = id
  }

  /// Refuses (nil) what ``text`` did not make.
  public init?(text: String) {
    let parts = text.split(separator: ".", maxSplits: 1)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), CaptureID.isPlain(String(parts[1])) else {
      return nil
    }
    self.init(milliseconds: milliseconds, id: String(parts[1]))
  }

  public var text: String { "\(milliseconds).\(id)" }
}

/// What to list of the subjects: of a day by name, otherwise newest first.
public struct ScanSubjectQuery: Hashable, Sendable {
  /// Part of the name or of the note.
  public var text: String?
  /// Due on this day, `YYYY-MM-DD`.
  public var due: String?
  public var after: PageCursor?
  public var limit = 50

  public init() {}
}

/// Part of a list.
public struct ScanPage<Item: Sendable>: Sendable {
  public let items: [Item]
  /// How many there are in all.
  public let total: Int
  /// Where it goes on; nil at the end.
  public let next: PageCursor?

  public init(items: [Item], total: Int, next: PageCursor?) {
    self.items = items
    self.total = total
    self.next = next
  }
}

/// What lay outside of the database of something that was erased.
public struct DeletedScanBlobs: Hashable, Sendable {
  public var scans = 0
  public var blobs: [BlobID] = []
  public var uploads: [UploadID] = []

  public init() {}
}

extension ScanStore {
  /// Keeps a scan with its files, without a quota.
  public func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?) async throws {
    try await save(scan, owner: owner, request: request, quota: nil)
  }
}

/// Keeps scans, their files' names, and whom they are of.
///
/// What a method has acknowledged survives the death of the process.
public protocol ScanStore: Sendable {
  /// Keeps a scan with its files. Throws ``StoreError/Code/missing`` when its subject or its check is not there, `duplicate`
  /// when its owner made a scan by a request of this name before, and `full` when the owner's scans and captures would come to
  /// more than `quota` bytes, which many may ask for at the same time.
  func save(_ scan: ScanRecord, owner: SecretDigest?, request: String?, quota: Int?) async throws
  /// The scan that an owner made by a request of this name; nil when there is none.
  func scan(of owner: SecretDigest?, request: String) async throws -> ScanID?
  /// The scan with its files and results; nil when there is none.
  func scan(_ id: ScanID) async throws -> ScanRecord?
  func scans(_ query: ScanQuery) async throws -> ScanPage<ScanRecord>
  /// How many scans of an owner wait for files.
  func openScans(of owner: SecretDigest?) async throws -> Int
  /// Sets subject and label; false when there is no such scan.
  func describe(_ id: ScanID, subject: ScanSubjectID?, label: String?) async throws -> Bool
  /// A finished scan of just these files, the newest; nil when there is none.
  func scan(ofContent digest: ContentDigest) async throws -> ScanID?
  /// Notes what the files of a scan are together.
  func setContent(_ digest: ContentDigest, of id: ScanID) async throws

  /// The scan and the file that come in under this name; nil when there are none.
  func upload(_ id: UploadID) async throws -> (scan: ScanID, status: ScanRecord.Status, file: ScanRecord.File)?
  /// Adds a file to a scan that waits for files and has room for it, which many may ask for at the same time. Throws `duplicate` when
  /// the name is taken.
  func addFile(
    _ file: ScanRecord.File, to id: ScanID, within limits: ScanFileLimits, at time: UnixTime
  ) async throws -> AddFileResult
  /// Notes how many bytes of an upload are on the disk; fewer than before may count or not.
  func received(_ bytes: Int, of upload: UploadID, at time: UnixTime) async throws
  /// Notes that nothing of an upload is there any more.
  func lost(_ upload: UploadID, at time: UnixTime) async throws
  /// Notes where a whole file is kept; false when the upload is gone.
  func whole(
    _ upload: UploadID, type: String, blob: BlobID, digest: ContentDigest, at time: UnixTime
  ) async throws -> Bool
  /// Forgets a file that comes in, and returns its blob if it had one; nil when there was none.
  func deleteUpload(_ id: UploadID) async throws -> DeletedScanBlobs?

  /// Changes a scan's status from one of `before`; false when it has another one. From `uploading` only when all files
  /// are whole.
  func move(
    _ id: ScanID, from before: Set<ScanRecord.Status>, to status: ScanRecord.Status, problem: ScanRecord.Problem?,
    at time: UnixTime
  ) async throws -> Bool
  /// Sets the number of attempts to work on a scan.
  func setAttempts(_ attempts: Int, of id: ScanID) async throws
  /// Takes the oldest scan that waits, which is then being worked on; nil when none waits.
  func acquire(at time: UnixTime) async throws -> ScanRecord?
  /// Queues again what this server has taken up, and counts no attempt: for when a store failed over ``takeUp(at:)``, so that nobody
  /// knows whether it did. Only while this server works on no scan; returns how many there were.
  func putBack(at time: UnixTime) async throws -> Int
  /// The scans that are being worked on; where several servers share the store, those of them whose server is gone.
  func workingScans() async throws -> [ScanRecord]
  /// Notes how far the work on a scan is; false when it is not being worked on any more: cancelled, erased or given up.
  func progressed(_ id: ScanID, _ progress: ScanRecord.Progress, at time: UnixTime) async throws -> Bool
  /// Keeps what the work came to, all at once; false when the scan is not being worked on any more. The blobs of
  /// results that were there before are returned.
  func finish(
    _ id: ScanID, outcome: ScanReport, results: [ScanRecord.File], at time: UnixTime
  ) async throws -> [BlobID]?

  /// Erases a scan; nil when there was none.
  func deleteScan(_ id: ScanID) async throws -> DeletedScanBlobs?
  /// Scans that a check's token made, oldest first.
  func scans(of check: CheckID) async throws -> [ScanID]
  /// Scans that tokens of a person's checks made.
  func scans(of person: PersonID) async throws -> [ScanID]
  /// Scans whose check is not there any more, at most 100.
  func scansWithoutCheck() async throws -> [ScanID]
  /// Scans that wait for files, failed or were cancelled, and to which nothing has happened since `time`, at most 100.
  func abandonedScans(before time: UnixTime) async throws -> [ScanID]
  /// Scans that were created before `time`, at most 100.
  func scans(createdBefore time: UnixTime) async throws -> [ScanID]
  /// True when a file comes in under this name.
  func wantsUpload(_ id: UploadID) async throws -> Bool

  func save(_ subject: ScanSubject) async throws
  func scanSubject(_ id: ScanSubjectID) async throws -> ScanSubject?
  func scanSubjects(_ query: ScanSubjectQuery) async throws -> ScanPage<ScanSubject>
  /// False when there is no such subject.
  func update(_ subject: ScanSubject) async throws -> Bool
  /// All scans of a subject, oldest first.
  func scans(of subject: ScanSubjectID) async throws -> [ScanID]
  /// Erases a subject with all its scans; nil when there was none.
  func deleteScanSubject(_ id: ScanSubjectID) async throws -> DeletedScanBlobs?
}
