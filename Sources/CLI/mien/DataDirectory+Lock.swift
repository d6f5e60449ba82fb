import Foundation

extension DataDirectory {
  /// The file that a server holds locked as long as it lives.
  static let lock = "mien.lock"

  /// Keeps other servers off the folder as long as this process lives, and makes the folder where there is none.
  ///
  /// A server that starts tidies what it holds to be left behind: the pieces of files and of scans that another one has in hand.
  /// Commands beside a server leave these alone and do not ask for the lock. It goes with the process, however that ends; the
  /// file stays and is empty.
  ///
  /// - Throws: ``CommandError`` when a server is at work on the folder.
  static func holdForServer(_ folder: String) throws {
    try make(folder)
    let path = folder + "/" + lock
    // Not handed on to the programs that the server starts: one that outlives it would keep the lock.
    let file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandError("\(path) cannot be opened: \(systemReason())") }
    // Held, it is never closed.
    guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return }
    let (isTaken, reason) = (errno == EWOULDBLOCK, systemReason())
    close(file)
    guard isTaken else {
      // Some file systems of other machines know no locks.
      return Terminal.note(
        "NOTE: \(path) cannot be locked (\(reason)): see to it that no second server starts on \(folder).")
    }
    throw CommandError(
      """
      A server is at work on \(folder) already. End it first, or give this one a folder of its own with --data; servers that \
      share a database have one each.
      """)
  }

  /// What the system said last.
  private static func systemReason() -> String {
    POSIXError.Code(rawValue: errno).map { POSIXError($0).localizedDescription } ?? "error \(errno)"
  }
}
