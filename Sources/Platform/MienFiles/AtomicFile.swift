internal import Foundation

/// File that appears under its final name only once it is complete. An existing device or pipe is written to directly.
package final class AtomicFile {
  private let path: String
  /// File that is moved to the path at the end; `nil` for a device or pipe.
  private let draft: URL?
  private let handle: FileHandle
  private var length = 0
  private var isKept = false

  package init(_ path: String) throws {
    self.path = path
    let target = URL(fileURLWithPath: path)
    let draft =
      OutputFile.isSpecial(path)
      ? nil : target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent).\(getpid())")
    self.draft = draft
    do {
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      if let draft, !FileManager.default.createFile(atPath: draft.path, contents: nil) {
        throw CocoaError(.fileWriteUnknown)
      }
      handle = try FileHandle(forWritingTo: draft ?? target)
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
      // Devices and pipes cannot be synchronized.
      if draft != nil { try handle.synchronize() }
      try handle.close()
    } catch { throw OperationError("\(path) cannot be written: \(error.fileReason)") }
    guard let draft else { return length }
    guard unsafe rename(draft.path, path) == 0 else { throw OperationError("\(path) cannot be written.") }
    isKept = true
    return length
  }

  deinit {
    if !isKept, let draft { try? FileManager.default.removeItem(at: draft) }
  }
}

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
      throw OperationError("\(path) already exists. Choose another name.")
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
