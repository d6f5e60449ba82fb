import Foundation

/// Where words for people and programs go: results to standard output, everything else to standard error.
enum Terminal {
  /// One line of result, written at once even into a pipe.
  static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// One line about what is going on.
  static func note(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  /// A progress bar on standard error, where that is a terminal.
  struct Progress {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    mutating func show(_ done: Int, of total: Int, what: String) {
      guard isTerminal, total > 0 else { return }
      let percent = min(100, done * 100 / total)
      guard percent != shown else { return }
      shown = percent
      let filled = percent * 30 / 100
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
      FileHandle.standardError.write(Data("\r\(bar) \(percent) % \(what)".utf8))
      if percent == 100 { FileHandle.standardError.write(Data("\n".utf8)) }
    }
  }
}
