internal import MienScanFormat

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
