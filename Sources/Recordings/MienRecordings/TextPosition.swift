/// A position in a text, with the line number for errors.
///
/// The text itself is passed separately as a `Span`: a struct that stored the span would need lifetime annotations,
/// which are still experimental.
struct TextPosition {
  var at = 0
  let line: Int

  func error(_ code: RecordingError.Code, _ reason: String) -> RecordingError {
    RecordingError(code, line: line, byte: at, reason)
  }

  func error(_ code: RecordingError.Code, at byte: Int, _ reason: String) -> RecordingError {
    RecordingError(code, line: line, byte: byte, reason)
  }
}
