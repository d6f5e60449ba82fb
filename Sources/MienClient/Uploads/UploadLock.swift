internal import Foundation

/// The right to work on a job, as long as it lives.
final class UploadLock: Sendable {
  private let handle: FileHandle

  /// - Throws: ``UploadError`` with `inUse`.
  init(_ handle: FileHandle) throws {
    self.handle = handle
    guard flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else {
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
