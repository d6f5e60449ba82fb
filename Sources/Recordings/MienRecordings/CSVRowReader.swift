/// Reads comma-separated text, one row at a time.
///
/// Rows end with LF or CR LF; a leading byte order mark is skipped. A field may be enclosed in double quotes, but a
/// quote or line break within it is rejected: no field of the supported formats needs them.
struct CSVRowReader {
  /// Ranges of the current row's fields in the text, without quotes.
  private(set) var fields: [Range<Int>] = []
  /// Number of the current row, from 1.
  private(set) var line = 0
  /// Offset of the current row in the text.
  private(set) var lineStart = 0
  private var at = 0
  private let maximumLineBytes: Int

  init(_ text: Span<UInt8>, maximumLineBytes: Int) {
    self.maximumLineBytes = maximumLineBytes
    if text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF { at = 3 }
  }

  /// `true` if the current row is the last one and has no terminator: it may have been cut off.
  private(set) var isOpenEnded = false

  /// Advances to the next row; returns `false` at the end, which may be followed by empty lines. Rejects empty rows
  /// before it and rows with more than `fieldLimit` fields.
  mutating func next(_ text: Span<UInt8>, fieldLimit: Int) throws(RecordingError) -> Bool {
    guard at < text.count, line == 0 || !isBlank(text, from: at) else { return false }
    fields.removeAll(keepingCapacity: true)
    line += 1
    lineStart = line == 1 ? 0 : at
    var end = at
    while end < text.count, text[end] != UInt8(ascii: "\n") {
      end += 1
      guard end - lineStart <= maximumLineBytes else {
        throw RecordingError(.tooLarge, line: line, byte: maximumLineBytes, "the line is too long")
      }
    }
    let nextLine = end + 1
    isOpenEnded = end == text.count
    if end > at, text[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    guard end > at else { throw RecordingError(.malformed, line: line, byte: 0, "an empty line") }
    while true {
      guard fields.count < fieldLimit else {
        throw RecordingError(.wrongFieldCount, line: line, byte: at - lineStart, "more fields than columns")
      }
      try readField(text, end)
      guard at < end else { break }
      // readField stops at the end or at a comma.
      at += 1
      if at == end {
        guard fields.count < fieldLimit else {
          throw RecordingError(.wrongFieldCount, line: line, byte: at - lineStart, "more fields than columns")
        }
        fields.append(at..<at)
        break
      }
    }
    at = nextLine
    return true
  }

  /// Returns `true` if only line terminators follow.
  private func isBlank(_ text: Span<UInt8>, from start: Int) -> Bool {
    for index in start..<text.count where text[index] != UInt8(ascii: "\n") && text[index] != UInt8(ascii: "\r") {
      return false
    }
    return true
  }

  private mutating func readField(_ text: Span<UInt8>, _ end: Int) throws(RecordingError) {
    let isQuoted = text[at] == UInt8(ascii: "\"")
    if isQuoted { at += 1 }
    let start = at
    while at < end, text[at] != (isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ",")) {
      guard text[at] != UInt8(ascii: "\""), text[at] >= 0x20 else {
        throw RecordingError(.malformed, line: line, byte: at - lineStart, "a quote or a control character in a field")
      }
      at += 1
    }
    fields.append(start..<at)
    guard isQuoted else { return }
    guard at < end else {
      throw RecordingError(.truncated, line: line, byte: at - lineStart, "a quoted field does not end")
    }
    at += 1
    guard at == end || text[at] == UInt8(ascii: ",") else {
      throw RecordingError(.malformed, line: line, byte: at - lineStart, "text after a quoted field")
    }
  }

  /// Parses a field that consists entirely of a number.
  func number(_ text: Span<UInt8>, field: Int) throws(RecordingError) -> DecimalNumber {
    let range = fields[field]
    var cursor = TextPosition(at: range.lowerBound, line: line)
    let number: DecimalNumber
    do {
      // The span ends with the field, so that a number cannot extend into the next one.
      number = try scanNumber(text.extracting(..<range.upperBound), &cursor)
    } catch {
      throw RecordingError(.malformed, line: line, byte: error.byte - lineStart, "not a number")
    }
    guard cursor.at == range.upperBound else {
      throw RecordingError(.malformed, line: line, byte: cursor.at - lineStart, "more text after a number")
    }
    return number
  }

  func error(_ code: RecordingError.Code, field: Int, _ reason: String) -> RecordingError {
    RecordingError(code, line: line, byte: fields[max(field, 0)].lowerBound - lineStart, reason)
  }
}
