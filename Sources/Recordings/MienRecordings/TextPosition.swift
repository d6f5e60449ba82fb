/// A place in a text, and the line number that errors name.
///
/// The text itself travels beside it as a `Span`: a struct that kept the span would need lifetime annotations, which
/// are still experimental.
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
