public import MienCore
public import MienPlatform

/// Operator settings for scans.
public struct ScanSettings: Sendable {
  public var realm = Realm.live
  /// Maximum total size of a scan's files in bytes.
  public var maximumBytes = 2048 << 20
  /// Maximum size in bytes of a scan sent with a check's token.
  public var maximumCheckBytes = 200 << 20
  /// Maximum size of the metadata in bytes.
  public var maximumTextBytes = 64 << 10
  /// Maximum number of files in a scan.
  public var maximumFiles = 8000
  /// Maximum number of scans per API key that are waiting for files.
  public var maximumOpen = 100
  /// Storage quotas per API key and per check, in bytes.
  public var quotas = StorageQuotas()
  /// Time after which incomplete, failed and canceled scans are deleted.
  public var timeout = Interval.seconds(86_400)
  /// Retention period of scans; `nil` for no automatic deletion.
  public var lifetime: Interval?
  /// Maximum number of processing attempts interrupted by a crash.
  public var maximumAttempts = 3
  /// Maximum duration of store or disk failures before a scan's processing is abandoned.
  public var outage = Interval.seconds(900)

  public init() {}
}

/// Maximum number and total size of a scan's files.
public struct ScanFileLimits: Hashable, Sendable {
  public let files: Int
  public let bytes: Int
  /// Maximum total size in bytes of all scans and captures of the scan's owner; `nil` for no limit.
  public let ownerBytes: Int?

  public init(files: Int, bytes: Int, ownerBytes: Int? = nil) {
    self.ownerBytes = ownerBytes
    self.files = files
    self.bytes = bytes
  }
}

/// The result of adding a file to a scan.
public enum AddFileResult: Hashable, Sendable {
  case added
  /// The scan does not exist, or no longer accepts files.
  case closed
  /// The scan would exceed its maximum number of files or bytes.
  case full
  /// The owner would exceed the storage quota.
  case overQuota
}
