internal import Foundation

/// Directory that appears under its final name only once it is complete.
package final class AtomicDirectory {
  private let path: String
  private let draft: URL
  private var isKept = false

  /// - Throws: ``OperationError`` if the path already exists: nothing is overwritten or mixed.
  package init(_ path: String) throws {
    self.path = path
    let target = URL(fileURLWithPath: path)
    guard !FileManager.default.fileExists(atPath: target.path) else {
      throw OperationError("\(path) is there already; give a name that is not.")
    }
    draft = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(getpid())")
    do { try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true) } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }

  package func write(_ bytes: [UInt8], _ name: String) throws {
    let file = draft.appendingPathComponent(name)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    } catch { throw OperationError("\(path) cannot be written: \(error.fileReason)") }
  }

  package func commit() throws {
    guard unsafe rename(draft.path, path) == 0 else { throw OperationError("\(path) cannot be written.") }
    isKept = true
  }

  deinit {
    if !isKept { try? FileManager.default.removeItem(at: draft) }
  }
}
