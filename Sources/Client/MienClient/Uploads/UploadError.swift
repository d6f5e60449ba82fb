/// Why a job cannot be kept on this device. Equal by code.
public struct UploadError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String { case unreadableFile, unusableName, noFiles, storage, inUse, unknownJob }
    fileprivate let kind: Kind

    /// A file that is to be sent cannot be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// A file has a name that no server would take, or two files have the same.
    public static let unusableName = Code(kind: .unusableName)
    /// There is nothing to send.
    public static let noFiles = Code(kind: .noFiles)
    /// The queue's folder cannot be written: it is full, or not ours.
    public static let storage = Code(kind: .storage)
    /// Another program is sending the job.
    public static let inUse = Code(kind: .inUse)
    /// There is no such job.
    public static let unknownJob = Code(kind: .unknownJob)
  }

  public let code: Code
  /// What happened; for a developer.
  public let reason: String

  init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: UploadError, right: UploadError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}
