public import MienCore

/// Reads observation lines one by one from bytes in memory.
///
/// ```swift
/// var reader = ObservationLinesReader(bytes)
/// while let observation = try reader.next() { … }
/// ```
public struct ObservationLinesReader: Sendable {
  private let bytes: ContiguousArray<UInt8>
  private let rules: ParserLimits
  private var start = 0
  private var count = 0
  private var last: MonotonicInstant?

  /// The header, once the first line has been read; `nil` if there is none.
  public private(set) var header: ObservationJSONL.Header?
  /// Number of the last line read, from 1.
  public private(set) var lineNumber = 0
  /// Number of observations so far that were older than their predecessor.
  public private(set) var backwardCount = 0

  /// Creates a reader over `bytes`: lines end with LF or CR LF, which is optional for the last one.
  public init(_ bytes: ContiguousArray<UInt8>, rules: ParserLimits = ParserLimits()) {
    self.bytes = bytes
    self.rules = rules
    var cursor = TextPosition(line: 1)
    skipByteOrderMark(bytes.span, &cursor)
    start = cursor.at
  }

  /// Returns the next observation, or `nil` after the last.
  ///
  /// After an error, reading continues after the faulty line.
  /// - Throws: ``RecordingError`` with line and byte.
  public mutating func next() throws(RecordingError) -> ClientObservation? {
    let bytes = self.bytes
    while let range = nextLine() {
      let line = bytes.span.extracting(range)
      if lineNumber == 1 {
        if ObservationJSONL.looksLikeHeader(line) {
          header = try ObservationJSONL.parseHeader(line, number: 1, maximumBytes: rules.maximumLineBytes)
          continue
        }
        guard !rules.requiresHeader else {
          throw RecordingError(.wrongFormat, line: 1, byte: 0, "the first line is not a header of observation lines")
        }
      }
      let observation = try ObservationJSONL.parseLine(
        line, number: lineNumber, maximumBytes: rules.maximumLineBytes)
      count += 1
      guard count <= rules.maximumObservations else {
        throw RecordingError(.tooLarge, line: lineNumber, byte: 0, "too many observations")
      }
      let previous = last
      last = observation.at
      if let previous, observation.at < previous {
        backwardCount += 1
        if rules.order == .refuse {
          throw RecordingError(.timestampBackwards, line: lineNumber, byte: 0, "t is smaller than in the line before")
        }
      }
      return observation
    }
    guard lineNumber > 0 || !rules.requiresHeader else {
      throw RecordingError(.wrongFormat, line: 1, byte: 0, "no header of observation lines: there is no text")
    }
    return nil
  }

  /// Returns the range of the next line without its line feed, or `nil` at the end.
  private mutating func nextLine() -> Range<Int>? {
    guard start < bytes.count else { return nil }
    let first = start
    let end = Self.endOfLine(bytes.span, from: first)
    start = end + 1
    lineNumber += 1
    return first..<end
  }

  /// Returns the end of the line that starts at `start`; whole blocks are examined first, without a branch per byte.
  private static func endOfLine(_ text: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while text.count &- at >= 64 {
      let block = text.extracting(at..<(at &+ 64))
      var breaks: UInt8 = 0
      for index in block.indices { breaks |= block[index] == UInt8(ascii: "\n") ? 1 : 0 }
      if breaks != 0 { break }
      at &+= 64
    }
    while at < text.count, text[at] != UInt8(ascii: "\n") { at &+= 1 }
    return at
  }
}
