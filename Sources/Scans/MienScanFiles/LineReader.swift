internal import MienScanFormat

/// Reads the lines of a recording's text sequentially.
///
/// A parsed line takes many times its size, and text can be compressed a thousandfold, so the number and length of
/// lines are limited.
struct LineReader {
  /// Maximum number of lines: a hundred minutes at 60 per second are 360 000.
  static let most = 400_000
  /// Maximum length of a line in bytes.
  static let longest = 4096

  private var rest: Substring.UTF8View
  private let file: String
  /// Number of the last line returned, counted from 1.
  private(set) var number = 0

  init(_ text: String, file: String) {
    rest = text[...].utf8
    self.file = file
  }

  /// `true` after the last line.
  var isOver: Bool { rest.isEmpty }

  /// Returns the next line without its terminator; nil after the last.
  ///
  /// - Throws: ``ScanError`` `tooMuch` with the file name.
  mutating func next() throws(ScanError) -> Substring? {
    guard !rest.isEmpty else { return nil }
    guard number < Self.most else { throw ScanError(.tooMuch, "\(file) has more than \(Self.most) lines") }
    number += 1
    let start = rest.prefix(Self.longest + 1)
    guard let end = start.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      guard start.count <= Self.longest else {
        throw ScanError(.tooMuch, "\(file), line \(number) has more than \(Self.longest) bytes")
      }
      rest = rest[rest.endIndex...]
      return Substring(start)
    }
    let after = rest.index(after: end)
    // CR LF is a single terminator.
    let isPair = rest[end] == 0x0D && after < rest.endIndex && rest[after] == 0x0A
    rest = rest[(isPair ? rest.index(after: after) : after)...]
    return Substring(start[..<end])
  }
}

/// Parses numbers in lines of text, separated by commas, spaces or tabs.
enum NumberListParser {
  /// Maximum number of values in a line; no format has half as many.
  private static let mostInLine = 32

  /// - Parameter holes: `true` to accept `nan` for unknown values.
  /// - Throws: ``ScanError``: `damaged` with the file name and the line, or `tooMuch` if there are too many numbers.
  static func line(_ line: Substring, file: String, number: Int, holes: Bool = false) throws(ScanError) -> [Double] {
    var values: [Double] = []
    for part in line.utf8.split(whereSeparator: { separators.contains($0) }).map({ Substring($0) }) {
      guard let value = Double(part), value.isFinite || holes && value.isNaN else {
        throw ScanError(.damaged, "\(file), line \(number): “\(part.prefix(20))” is not a number")
      }
      guard values.count < mostInLine else {
        throw ScanError(.tooMuch, "\(file), line \(number) has more than \(mostInLine) numbers")
      }
      values.append(value)
    }
    return values
  }

  private static let separators = Array(", \t;".utf8)

  /// Parses all lines with numbers; skips empty lines, comments (`#`) and a header line.
  ///
  /// - Parameter holes: `true` to accept `nan` for unknown values.
  /// - Throws: ``ScanError``: `damaged`, or `tooMuch` as documented in ``LineReader``.
  static func table(_ text: String, file: String, holes: Bool = false) throws(ScanError) -> [[Double]] {
    try read(text, file: file, holes: holes, isGrowing: false).rows
  }

  /// Parses a table that may have been truncated while being written: an incomplete last row is ignored.
  static func growingTable(_ text: String, file: String) throws(ScanError) -> (rows: [[Double]], isCut: Bool) {
    try read(text, file: file, holes: true, isGrowing: true)
  }

  private static func read(
    _ text: String, file: String, holes: Bool, isGrowing: Bool
  ) throws(ScanError) -> (rows: [[Double]], isCut: Bool) {
    var rows: [[Double]] = []
    var lines = LineReader(text, file: file)
    while let text = try lines.next() {
      let line = text.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      if lines.number == 1, !(first.isNumber || first == "-" || first == ".") { continue }
      do {
        rows.append(try self.line(line, file: file, number: lines.number, holes: holes))
      } catch {
        guard isGrowing, lines.isOver, error.code == .damaged else { throw error }
        return (rows, true)
      }
    }
    return (rows, false)
  }
}
