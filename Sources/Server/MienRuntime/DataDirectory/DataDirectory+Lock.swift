internal import Foundation
internal import MienFiles

extension DataDirectory {
  /// Name of the file that a running server keeps locked.
  package static let lock = "mien.lock"

  /// Acquires an exclusive lock on the folder; creates the folder if it does not exist.
  ///
  /// A server deletes leftover files at startup, which would include the partial files and scans of another running
  /// server. Commands that run alongside a server do not touch these files and need no lock. The operating system releases
  /// the lock when the process ends for any reason; the empty file remains.
  ///
  /// - Returns: the lock; `nil` if the file system does not support locks.
  /// - Throws: ``OperationError`` if a server is already running on the folder.
  static func lockForServer(_ folder: String, console: any OperatorConsole) throws -> DataDirectoryLock? {
    try make(folder)
    let path = folder + "/" + lock
    // Not inherited by child processes: one that outlives the server would hold the lock.
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw OperationError("\(path) cannot be opened: \(systemReason())") }
    guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return DataDirectoryLock(descriptor: file) }
    let (isTaken, reason) = (errno == EWOULDBLOCK, systemReason())
    close(file)
    guard isTaken else {
      // Some network file systems do not support locks.
      console.note(
        "NOTE: \(path) cannot be locked (\(reason)): make sure that no second server starts on \(folder).")
      return nil
    }
    throw OperationError(
      """
      A server is at work on \(folder) already. End it first, or give this one a folder of its own with --data; servers that \
      share a database have one each.
      """)
  }

  /// Returns the description of the current `errno`.
  private static func systemReason() -> String {
    POSIXError.Code(rawValue: errno).map { POSIXError($0).localizedDescription } ?? "error \(errno)"
  }
}

/// Lock on a data folder, which is released with this object.
final class DataDirectoryLock: Sendable {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
