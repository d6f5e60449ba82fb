import Foundation

/// Output files of commands.
enum OutputFile {
  /// Writes a file atomically; creates its folder if it does not exist.
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file, options: .atomic)
    } catch {
      throw CommandError("\(path) cannot be written: \(Terminal.reason(error))")
    }
  }
}
