import Foundation

extension DataDirectory {
  /// Name of the file that a running server keeps locked.
  static let lock = "mien.lock"

  /// Acquires an exclusive lock on the folder for the lifetime of this process; creates the folder if it does not
  /// exist.
  ///
  /// A server deletes leftover files at startup, which would include the partial files and scans of another running
  /// server. Commands that run beside a server do not touch these files and need no lock. The operating system releases
  /// the lock when the process ends for any reason; the empty file remains.
  ///
  /// - Throws: ``CommandError`` if a server is already running on the folder.
  static func holdForServer(_ folder: String) throws {
    try make(folder)
    let path = folder + "/" + lock
    // Not inherited by child processes: one that outlives the server would hold the lock.
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandError("\(path) cannot be opened: \(systemReason())") }
    // On success, the descriptor stays open to hold the lock.
    guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return }
    let (isTaken, reason) = (errno == EWOULDBLOCK, systemReason())
    close(file)
    guard isTaken else {
      // Some network file systems do not support locks.
      return Terminal.note(
        "NOTE: \(path) cannot be locked (\(reason)): see to it that no second server starts on \(folder).")
    }
    throw CommandError(
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
