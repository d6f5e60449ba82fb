public import MienCore

/// A depth scan as it is kept: the files that were sent, how far it is, and what was made of it.
public struct ScanRecord: Sendable, Equatable {
  /// How far a scan is.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Files are still to come.
    case uploading
    case queued
    case working
    case done
    case failed
    case cancelled
  }

  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case face
    case object
  }

  /// Where the work on a scan is.
  public struct Progress: Hashable, Sendable {
    public enum Phase: String, Hashable, Sendable, CaseIterable {
      case reading, checking, placing, fusing, surfacing, measuring, writing
    }

    public let phase: Phase
    /// Of the phase, 0…1.
    public let fraction: Double

    public init(_ phase: Phase, _ fraction: Double) {
      self.phase = phase
      self.fraction = min(max(fraction, 0), 1)
    }
  }

  /// Why a scan failed.
  public struct Problem: Hashable, Sendable {
    /// A stable word.
    public let code: String
    /// What is wrong and what to do about it, without any measurement of a person.
    public let detail: String

    public init(code: String, detail: String) {
      self.code = code
      self.detail = detail
    }
  }

  /// A file that was sent or made.
  public struct File: Hashable, Sendable {
    /// A plain name or a relative path.
    public let name: String
    /// How many bytes it has, or will have.
    public let bytes: Int
    /// How many of them are on the disk.
    public var received: Int
    /// Found by its first bytes.
    public var type: String
    /// Where it is kept once it is whole.
    public var blob: BlobID?
    public var digest: ContentDigest?
    /// Where it comes in; nil for files that came in one piece or were made here.
    public var upload: UploadID?

    public init(
      name: String, bytes: Int, received: Int, type: String, blob: BlobID? = nil, digest: ContentDigest? = nil,
      upload: UploadID? = nil
    ) {
      self.name = name
      self.bytes = bytes
      self.received = received
      self.type = type
      self.blob = blob
      self.digest = digest
      self.upload = upload
    }

    /// True once all of it is kept.
    public var isWhole: Bool { blob != nil }
  }

  public let id: ScanID
  /// The check whose token made it, with which it is erased; nil for one that an API key made.
  public let check: CheckID?
  public var subject: ScanSubjectID?
  /// The subject's name; the store fills it in.
  public var subjectName: String?
  public var label: String?
  public let kind: Kind
  public let photosExpected: Int
  public let created: UnixTime
  /// When anything last happened to it.
  public var changed: UnixTime
  public var status: Status
  public var progress: Progress?
  public var problem: Problem?
  /// How often the work on it was begun.
  public var attempts: Int
  /// Empty in lists.
  public var files: [File]
  /// Empty before the scan is done, and in lists.
  public var results: [File]
  public var outcome: ScanReport?

  public init(
    id: ScanID, check: CheckID? = nil, subject: ScanSubjectID? = nil, subjectName: String? = nil,
    label: String? = nil, kind: Kind,
    photosExpected: Int, created: UnixTime, changed: UnixTime, status: Status, progress: Progress? = nil,
    problem: Problem? = nil, attempts: Int = 0, files: [File], results: [File] = [], outcome: ScanReport? = nil
  ) {
    self.id = id
    self.check = check
    self.subject = subject
    self.subjectName = subjectName
    self.label = label
    self.kind = kind
    self.photosExpected = photosExpected
    self.created = created
    self.changed = changed
    self.status = status
    self.progress = progress
    self.problem = problem
    self.attempts = attempts
    self.files = files
    self.results = results
    self.outcome = outcome
  }
}
