internal import MienDepth

/// Numbers in lines of text, separated by commas, blanks or tabs.
enum Numbers {
  /// Most numbers of a line; no format has half as many.
  private static let mostInLine = 32

  /// - Throws: ``ScanError`` `damaged` with the file and the line.
  static func line(_ line: Substring, file: String, number: Int) throws(ScanError) -> [Double] {
    var values: [Double] = []
    for part in line.utf8.split(whereSeparator: { separators.contains($0) }).map({ Substring($0) }) {
      guard let value = Double(part), value.isFinite else {
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

  /// All lines that hold numbers; empty lines, comments (`#`) and a first line of words are left out.
  ///
  /// - Throws: ``ScanError``: `damaged`, or `tooMuch` as ``TextLines`` says.
  static func table(_ text: String, file: String) throws(ScanError) -> [[Double]] {
    var rows: [[Double]] = []
    var lines = TextLines(text, file: file)
    while let text = try lines.next() {
      let line = text.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      if lines.number == 1, !(first.isNumber || first == "-" || first == ".") { continue }
      rows.append(try self.line(line, file: file, number: lines.number))
    }
    return rows
  }
}
