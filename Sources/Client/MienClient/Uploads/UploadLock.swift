internal import Foundation

/// File lock on a job or on the drafts folder, held until the instance is released.
final class UploadLock: Sendable {
  /// Kind of lock.
  enum Kind {
    /// Exclusive; fails immediately if the lock is held.
    case sole
    /// Shared; waits while the lock is held exclusively.
    case shared
  }

  private let handle: FileHandle

  /// - Parameter file: created if it does not exist.
  /// - Throws: ``UploadError`` with `inUse`, or the error of opening the file.
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
    // Closing the file alone would not release the lock while a child process that was forked in the meantime has not
    // yet
    // called exec: until then it shares the open file.
    flock(handle.fileDescriptor, LOCK_UN)
    try? handle.close()
  }
}
