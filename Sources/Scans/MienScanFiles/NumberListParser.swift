internal import MienDepth

/// Numbers in lines of text, separated by commas, blanks or tabs.
enum NumberListParser {
  /// Most numbers of a line; no format has half as many.
  private static let mostInLine = 32

  /// - Parameter holes: true where `nan` stands for what was not known.
  /// - Throws: ``ScanError`` `damaged` with the file and the line.
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

  /// All lines that hold numbers; empty lines, comments (`#`) and a first line of words are left out.
  ///
  /// - Parameter holes: as of a line.
  /// - Throws: ``ScanError``: `damaged`, or `tooMuch` as ``LineReader`` says.
  static func table(_ text: String, file: String, holes: Bool = false) throws(ScanError) -> [[Double]] {
    try read(text, file: file, holes: holes, isGrowing: false).rows
  }

  /// The same of a table that was written row by row until something ended it: a last row that cannot be read is left out.
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
