internal import Foundation

/// Output files of commands.
package enum OutputFile {
  /// Writes a file atomically; creates its folder if it does not exist.
  package static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
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
