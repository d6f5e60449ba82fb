import MienRuntime
import Synchronization

/// Console that collects what operations write.
final class RecordingConsole: OperatorConsole {
  private let state = Mutex<(results: [String], notes: [String])>(([], []))

  /// Lines of results.
  var results: [String] { state.withLock { $0.results } }
  /// Lines of diagnostics.
  var notes: [String] { state.withLock { $0.notes } }

  func write(_ line: String) throws { state.withLock { $0.results.append(line) } }
  func note(_ line: String) { state.withLock { $0.notes.append(line) } }

  /// Returns the rest of the first line of results that begins with a prefix.
  func result(after prefix: String) -> String? {
    results.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}
