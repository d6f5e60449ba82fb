import Foundation

/// Files that commands write.
enum OutputFile {
  /// Writes a file whole or not at all; the folder is made when it is missing.
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
