/// Error of the upload queue on this device. Errors with the same code are equal.
public struct UploadError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String { case unreadableFile, unusableName, noFiles, storage, inUse, unknownJob }
    fileprivate let kind: Kind

    /// A file to upload cannot be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// A file's name is invalid, or two files have the same name.
    public static let unusableName = Code(kind: .unusableName)
    /// The upload has no files.
    public static let noFiles = Code(kind: .noFiles)
    /// The queue's folder cannot be written: the disk is full, or permission is denied.
    public static let storage = Code(kind: .storage)
    /// Another process is sending the job.
    public static let inUse = Code(kind: .inUse)
    /// No such job.
    public static let unknownJob = Code(kind: .unknownJob)
  }

  public let code: Code
  /// Description for developers.
  public let reason: String

  init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: UploadError, right: UploadError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
