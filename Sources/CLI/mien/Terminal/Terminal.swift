import ArgumentParser
import Foundation
import MienFiles
import MienRecordings
import MienRuntime

/// Terminal output: results go to standard output, everything else to standard error.
enum Terminal {
  /// Writes one line of results to standard output without buffering.
  ///
  /// - Throws: ``OperationError`` if it cannot be written, for example to a closed pipe or a full disk.
  static func say(_ line: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
      throw OperationError("the output cannot be written: \(error.fileReason)")
    }
  }

  /// Writes one line of diagnostics to standard error; write errors are ignored.
  static func note(_ line: String) { noteAsIs(line + "\n") }

  /// Runs a command; errors are printed and result in exit code 2.
  static func reporting(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let error as OperationError {
      note("\(error)")
      throw ExitCode(2)
    } catch let error as RecordingError {
      note("\(error)")
      throw ExitCode(2)
    }
  }

  private static func noteAsIs(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  /// Progress bar on standard error, shown only if that is a terminal.
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
      noteAsIs("\r\(bar) \(percent) % \(what)" + (percent == 100 ? "\n" : ""))
    }
  }
}

/// Console of server operations: the terminal.
struct TerminalConsole: OperatorConsole {
  func write(_ line: String) throws { try Terminal.say(line) }
  func note(_ line: String) { Terminal.note(line) }
}
