/// How many files a scan may have, and how many bytes they may come to.
public struct ScanFileLimits: Hashable, Sendable {
  public let files: Int
  public let bytes: Int
  /// How many bytes all scans and captures of the scan's owner may come to; nil is without limit.
  public let ownerBytes: Int?

  public init(files: Int, bytes: Int, ownerBytes: Int? = nil) {
    self.ownerBytes = ownerBytes
    self.files = files
    self.bytes = bytes
  }
}

/// What became of a file that was to be added to a scan.
public enum AddFileResult: Hashable, Sendable {
  case added
  /// The scan is not there, or waits for files no more.
  case closed
  /// The scan would have more files or bytes than it may.
  case full
  /// Its owner would store more than they may.
  case overQuota
}
