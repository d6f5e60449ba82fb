internal import Foundation

/// Output files of commands.
package enum OutputFile {
  /// `true` for an existing device, pipe or socket, which is written to: a file moved to its place would replace it.
  static func isSpecial(_ path: String) -> Bool {
    // Follows links, those of /dev/stdout too.
    var found = stat()
    guard unsafe stat(path, &found) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(found.st_mode & S_IFMT)
  }

  /// Writes a file atomically, or to an existing device or pipe; creates its folder if it does not exist.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: isSpecial(path) ? [] : .atomic)
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }

  /// Writes a file that only its owner can read.
  package static func writePrivately(_ bytes: [UInt8], to path: String) throws {
    // The permissions are set before anything secret is in the file, also if it existed.
    guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
      throw OperationError("\(path) cannot be written: its folder does not exist, or it is not writable.")
    }
    do {
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    } catch {
      throw OperationError("\(path) cannot be written: \(error.fileReason)")
    }
  }
}

/// Encodes values as JSON on a single line.
package enum JSONText {
  package static func make(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
