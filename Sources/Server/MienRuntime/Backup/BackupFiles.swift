internal import MienCore
internal import Crypto
internal import Foundation
internal import MienFiles
internal import MienPlatform

/// File operations for backups: copies with a digest, flushed to disk before success is reported.
enum BackupFiles {
  /// Returns the size and digest of a file, which is read in chunks.
  static func measure(_ path: String) throws -> (bytes: Int, sha256: String) {
    try read(path) { _ in }
  }

  /// Copies a file with owner-only permissions and returns the size and digest of the written bytes.
  static func copy(_ source: String, to target: String) throws -> (bytes: Int, sha256: String) {
    try makeFolder(of: target)
    guard FileManager.default.createFile(atPath: target, contents: nil, attributes: [.posixPermissions: 0o600]),
      let output = FileHandle(forWritingAtPath: target)
    else { throw OperationError("\(target) cannot be written.") }
    defer { try? output.close() }
    let measured = try read(source) { piece in
      do {
        try output.write(contentsOf: piece)
      } catch {
        throw OperationError("\(target) cannot be written: \(error.fileReason)")
      }
    }
    try keep(output, target)
    return measured
  }

  /// Writes a small file.
  static func write(_ bytes: Data, to target: String) throws {
    guard FileManager.default.createFile(atPath: target, contents: bytes, attributes: [.posixPermissions: 0o600]) else {
      throw OperationError("\(target) cannot be written.")
    }
    try keep(target)
  }

  /// Flushes a written file or folder to disk.
  static func keep(_ path: String) throws {
    guard let handle = FileHandle(forReadingAtPath: path) else { throw OperationError("\(path) cannot be opened.") }
    defer { try? handle.close() }
    try keep(handle, path)
  }

  /// Flushes a folder and all its subfolders to disk, so that the directory entries of their files are durable.
  static func saveDirectories(of folder: String) throws {
    for path in FileManager.default.subpaths(atPath: folder) ?? [] {
      var isFolder = ObjCBool(false)
      guard unsafe FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder),
        isFolder.boolValue
      else { continue }
      try keep(folder + "/" + path)
    }
    try keep(folder)
  }

  /// Creates the parent folder of a file with owner-only permissions.
  static func makeFolder(of path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OperationError("\(folder) cannot be created: \(error.fileReason)")
    }
  }

  private static func keep(_ handle: FileHandle, _ path: String) throws {
    do {
      try handle.synchronize()
    } catch {
      throw OperationError("\(path) could not be flushed to disk: \(error.fileReason)")
    }
  }

  private static func read(_ path: String, _ each: (Data) throws -> Void) throws -> (bytes: Int, sha256: String) {
    guard let input = FileHandle(forReadingAtPath: path) else { throw OperationError("\(path) cannot be read.") }
    defer { try? input.close() }
    var (hash, bytes) = (SHA256(), 0)
    while true {
      let piece: Data?
      do {
        piece = try input.read(upToCount: 1 << 20)
      } catch {
        throw OperationError("\(path) cannot be read: \(error.fileReason)")
      }
      guard let piece, !piece.isEmpty else { break }
      hash.update(data: piece)
      bytes += piece.count
      try each(piece)
    }
    return (bytes, Hexadecimal.encode(hash.finalize()))
  }
}
