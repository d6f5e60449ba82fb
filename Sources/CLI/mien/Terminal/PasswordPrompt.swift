import Foundation
import MienFiles

/// Reads passwords without echo.
enum PasswordPrompt {
  /// Reads the first line from a terminal with echo turned off, or all of standard input if it is not a terminal.
  ///
  /// - Throws: ``OperationError`` if there are more than `limit` bytes.
  static func read(_ question: String, upTo limit: Int) throws -> [UInt8] {
    var before = termios()
    guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &before) == 0 else {
      return try StandardInput.bytes(upTo: limit)
    }
    FileHandle.standardError.write(Data(question.utf8))
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    defer {
      _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    guard let line = readLine() else { throw OperationError("no password was typed.") }
    guard line.utf8.count <= limit else { throw OperationError("standard input holds more than \(limit) bytes.") }
    return Array(line.utf8)
  }
}
