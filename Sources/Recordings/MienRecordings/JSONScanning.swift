// Strict JSON parsing (RFC 8259) over a span of bytes, for readers that know which member they expect. Nothing here
// allocates. Every function leaves the cursor after the parsed text.

/// Skips a byte order mark, which some editors write before JSON although RFC 8259 forbids it.
func skipByteOrderMark(_ text: Span<UInt8>, _ cursor: inout TextPosition) {
  guard cursor.at == 0, text.count >= 3, text[0] == 0xEF, text[1] == 0xBB, text[2] == 0xBF else { return }
  cursor.at = 3
}

/// Skips JSON's four white-space characters.
@inline(__always)
func skipSpace(_ text: Span<UInt8>, _ cursor: inout TextPosition) {
  while cursor.at < text.count {
    switch text[cursor.at] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): cursor.at += 1
    default: return
    }
  }
}

/// Returns the next non-white-space byte without consuming it.
@inline(__always)
func peek(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> UInt8 {
  skipSpace(text, &cursor)
  guard cursor.at < text.count else { throw cursor.error(.truncated, "the text ends too early") }
  return text[cursor.at]
}

/// Consumes `{` or `[`.
@inline(__always)
func open(_ bracket: UInt8, _ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) {
  let byte = try peek(text, &cursor)
  guard byte == bracket else {
    throw typeFault(
      byte, cursor, bracket == UInt8(ascii: "{") ? "an object is expected here" : "an array is expected here")
  }
  cursor.at += 1
}

/// Returns a type error if `byte` starts a JSON value, otherwise a syntax error.
@inline(never)
func typeFault(_ byte: UInt8, _ cursor: TextPosition, _ expectation: String) -> RecordingError {
  switch byte {
  case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "t"),
    UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "0")...UInt8(ascii: "9"):
    cursor.error(.wrongType, expectation)
  case 0xEF: cursor.error(.malformed, "a byte order mark does not belong here")
  default: cursor.error(.malformed, expectation)
  }
}

/// Advances to the next member of an object and consumes its key and colon; returns `nil` at the end of the object.
@inline(__always)
func nextKey(_ text: Span<UInt8>, _ cursor: inout TextPosition, isFirst: inout Bool) throws(RecordingError)
  -> InlineString32?
{
  guard try nextMember(text, &cursor, isFirst: &isFirst) else { return nil }
  return try scanKey(text, &cursor)
}

/// Advances to the next member of an object, before its key; returns `false` at the end of the object.
@inline(__always)
func nextMember(_ text: Span<UInt8>, _ cursor: inout TextPosition, isFirst: inout Bool) throws(RecordingError) -> Bool {
  try nextItem(text, &cursor, isFirst: &isFirst, end: UInt8(ascii: "}"))
}

/// Parses a key and its colon, and advances to the value.
@inline(__always)
func scanKey(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> InlineString32 {
  let key = try scanString(text, &cursor)
  guard try peek(text, &cursor) == UInt8(ascii: ":") else {
    throw cursor.error(.malformed, "a colon is missing after a key")
  }
  cursor.at += 1
  skipSpace(text, &cursor)
  return key
}

/// Advances to the next element of an array; returns `false` at the end of the array.
@inline(__always)
func nextElement(_ text: Span<UInt8>, _ cursor: inout TextPosition, isFirst: inout Bool) throws(RecordingError) -> Bool
{
  try nextItem(text, &cursor, isFirst: &isFirst, end: UInt8(ascii: "]"))
}

@inline(__always)
private func nextItem(
  _ text: Span<UInt8>, _ cursor: inout TextPosition, isFirst: inout Bool, end: UInt8
) throws(RecordingError) -> Bool {
  let byte = try peek(text, &cursor)
  if byte == end {
    cursor.at += 1
    return false
  }
  if isFirst {
    isFirst = false
    return true
  }
  guard byte == UInt8(ascii: ",") else { throw cursor.error(.malformed, "a comma or the end is missing") }
  cursor.at += 1
  if try peek(text, &cursor) == end { throw cursor.error(.malformed, "a trailing comma") }
  return true
}

/// Parses a string; bytes beyond 32 are validated but not stored.
@inline(__always)
func scanString(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> InlineString32 {
  let byte = try peek(text, &cursor)
  guard byte == UInt8(ascii: "\"") else { throw typeFault(byte, cursor, "a string is expected here") }
  let start = cursor.at + 1
  var at = start
  while at < text.count {
    let byte = text[at]
    if byte == UInt8(ascii: "\"") {
      cursor.at = at &+ 1
      return InlineString32(text, start..<at)
    }
    if byte == UInt8(ascii: "\\") || byte &- 0x20 >= 0x60 { break }
    at &+= 1
  }
  return try scanUnusualString(text, &cursor)
}

/// Parses a string with escapes or non-ASCII characters; the cursor is at its opening quote.
@inline(never)
private func scanUnusualString(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError)
  -> InlineString32
{
  var key = InlineString32()
  cursor.at += 1
  while cursor.at < text.count {
    let byte = text[cursor.at]
    switch byte {
    case UInt8(ascii: "\""):
      cursor.at += 1
      return key
    case UInt8(ascii: "\\"):
      for unit in String(try scanEscape(text, &cursor)).utf8 { key.append(unit) }
    case 0x00..<0x20: throw cursor.error(.malformed, "a control character in a string")
    case 0x20..<0x80:
      key.append(byte)
      cursor.at += 1
    default:
      let length = try lengthOfSequence(text, cursor)
      for index in cursor.at..<(cursor.at + length) { key.append(text[index]) }
      cursor.at += length
    }
  }
  throw cursor.error(.truncated, "the text ends in a string")
}

/// Parses one escape sequence, starting at its backslash.
private func scanEscape(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Unicode.Scalar {
  let start = cursor.at
  guard start + 1 < text.count else { throw cursor.error(.truncated, "the text ends in an escape") }
  cursor.at += 2
  switch text[start + 1] {
  case UInt8(ascii: "\""): return "\""
  case UInt8(ascii: "\\"): return "\\"
  case UInt8(ascii: "/"): return "/"
  case UInt8(ascii: "b"): return "\u{8}"
  case UInt8(ascii: "f"): return "\u{C}"
  case UInt8(ascii: "n"): return "\n"
  case UInt8(ascii: "r"): return "\r"
  case UInt8(ascii: "t"): return "\t"
  case UInt8(ascii: "u"): break
  default: throw cursor.error(.malformed, at: start, "an unknown escape")
  }
  let first = try scanHex(text, &cursor)
  if let scalar = Unicode.Scalar(first) { return scalar }
  guard first < 0xDC00, cursor.at + 1 < text.count, text[cursor.at] == UInt8(ascii: "\\"),
    text[cursor.at + 1] == UInt8(ascii: "u")
  else { throw cursor.error(.invalidText, at: start, "an unpaired surrogate") }
  cursor.at += 2
  let second = try scanHex(text, &cursor)
  guard (0xDC00..<0xE000).contains(second),
    let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
  else { throw cursor.error(.invalidText, at: start, "an unpaired surrogate") }
  return scalar
}

private func scanHex(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> UInt32 {
  var value: UInt32 = 0
  for _ in 0..<4 {
    guard cursor.at < text.count else { throw cursor.error(.truncated, "the text ends in an escape") }
    let byte = text[cursor.at]
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
    default: throw cursor.error(.malformed, "not four hexadecimal digits after \\u")
    }
    cursor.at += 1
  }
  return value
}

/// Returns the length in bytes of the UTF-8 sequence at the cursor (Unicode 16, table 3-7: well-formed sequences only).
private func lengthOfSequence(_ text: Span<UInt8>, _ cursor: TextPosition) throws(RecordingError) -> Int {
  let lead = text[cursor.at]
  let (length, second): (Int, ClosedRange<UInt8>) =
    switch lead {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: (0, 0...0)
    }
  guard length > 0, cursor.at + length <= text.count, second.contains(text[cursor.at + 1]) else {
    throw cursor.error(.invalidText, "bytes that are not UTF-8")
  }
  for index in (cursor.at + 2)..<max(cursor.at + length, cursor.at + 2)
  where !(0x80...0xBF).contains(text[index]) {
    throw cursor.error(.invalidText, at: index, "bytes that are not UTF-8")
  }
  return length
}

/// Consumes the word `null` if it is next, and reports whether it was.
@inline(__always)
func skipNull(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) -> Bool {
  guard try peek(text, &cursor) == UInt8(ascii: "n") else { return false }
  try skipWord("null", text, &cursor)
  return true
}

private func skipWord(_ word: String, _ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) {
  let start = cursor.at
  for byte in word.utf8 {
    guard cursor.at < text.count else { throw cursor.error(.truncated, "the text ends in a word") }
    guard text[cursor.at] == byte else { throw cursor.error(.malformed, at: start, "not a JSON value") }
    cursor.at += 1
  }
}

/// Skips any value, checking its syntax; `depth` is the remaining number of nesting levels.
func skipValue(_ text: Span<UInt8>, _ cursor: inout TextPosition, depth: Int = 16) throws(RecordingError) {
  var isFirst = true
  switch try peek(text, &cursor) {
  case UInt8(ascii: "{"):
    guard depth > 0 else { throw cursor.error(.tooDeep, "nested too deeply") }
    cursor.at += 1
    while try nextKey(text, &cursor, isFirst: &isFirst) != nil { try skipValue(text, &cursor, depth: depth - 1) }
  case UInt8(ascii: "["):
    guard depth > 0 else { throw cursor.error(.tooDeep, "nested too deeply") }
    cursor.at += 1
    while try nextElement(text, &cursor, isFirst: &isFirst) { try skipValue(text, &cursor, depth: depth - 1) }
  case UInt8(ascii: "\""): _ = try scanString(text, &cursor)
  case UInt8(ascii: "t"): try skipWord("true", text, &cursor)
  case UInt8(ascii: "f"): try skipWord("false", text, &cursor)
  case UInt8(ascii: "n"): try skipWord("null", text, &cursor)
  default: _ = try scanNumber(text, &cursor)
  }
}

/// Requires that only white space is left.
@inline(__always)
func expectEnd(_ text: Span<UInt8>, _ cursor: inout TextPosition) throws(RecordingError) {
  skipSpace(text, &cursor)
  guard cursor.at == text.count else { throw cursor.error(.malformed, "more text after the end") }
}

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
