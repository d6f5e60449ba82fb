internal import MienDepth

/// Numbers in lines of text, separated by commas, blanks or tabs.
enum Numbers {
  /// - Throws: ``ScanError`` `damaged` with the file and the line.
  static func line(_ line: Substring, file: String, number: Int) throws(ScanError) -> [Double] {
    var values: [Double] = []
    for part in line.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" || $0 == ";" || $0 == "\r" }) {
      guard let value = Double(part), value.isFinite else {
        throw ScanError(.damaged, "\(file), line \(number): “\(part.prefix(20))” is not a number")
      }
      values.append(value)
    }
    return values
  }

  /// All lines that hold numbers; empty lines, comments (`#`) and a first line of words are left out.
  static func table(_ text: String, file: String) throws(ScanError) -> [[Double]] {
    var rows: [[Double]] = []
    for (index, text) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = text.drop { $0 == " " || $0 == "\t" }
      guard let first = line.first, first != "#" else { continue }
      if index == 0, !(first.isNumber || first == "-" || first == ".") { continue }
      rows.append(try self.line(line, file: file, number: index + 1))
    }
    return rows
  }
}
