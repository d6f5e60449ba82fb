internal import Foundation

/// The right to work on a job, or among the drafts, as long as it lives.
final class UploadLock: Sendable {
  /// Whose right it is.
  enum Kind {
    /// Nobody else's; refused at once where somebody has it.
    case sole
    /// Everybody's who asks for it so; waited for where somebody has it alone.
    case shared
  }

  private let handle: FileHandle

  /// - Parameter file: is made where it is not there.
  /// - Throws: ``UploadError`` with `inUse`; whatever keeps the file from being opened.
  init(_ file: URL, _ kind: Kind) throws {
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    handle = try FileHandle(forUpdating: file)
    let operation = kind == .sole ? LOCK_EX | LOCK_NB : LOCK_SH
    guard flock(handle.fileDescriptor, operation) == 0 else {
      try? handle.close()
      throw UploadError(.inUse, reason: "Another program is sending this.")
    }
  }

  deinit {
    // Closing alone leaves it locked while a child that was started meanwhile, by anybody in this process, has not yet
    // replaced itself with its program: until then it has the file open as well.
    flock(handle.fileDescriptor, LOCK_UN)
    try? handle.close()
  }
}
