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
