internal import Foundation

/// File that appears under its final name only once it is complete.
package final class AtomicFile {
  private let path: String
  private let draft: URL
  private let handle: FileHandle
  private var length = 0
  private var isKept = false

  package init(_ path: String) throws {
    self.path = path
    let target = URL(fileURLWithPath: path)
    draft = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(getpid())")
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      guard FileManager.default.createFile(atPath: draft.path, contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
      handle = try FileHandle(forWritingTo: draft)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }

  package func append(_ bytes: [UInt8]) throws {
    do { try handle.write(contentsOf: bytes) } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
    length += bytes.count
  }

  /// Moves the file to its final path and returns its length in bytes.
  package func commit() throws -> Int {
    do {
      try handle.synchronize()
      try handle.close()
    } catch { throw OperationError("\(path) cannot be written: \(error.fileReason)") }
    guard unsafe rename(draft.path, path) == 0 else { throw OperationError("\(path) cannot be written.") }
    isKept = true
    return length
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(at: draft) }
  }
}
