/// Table of tab-separated values with a header, for the tables of face match.
struct MatchTable {
  /// Lines with at least one character, with their numbers in the file.
  let rows: [Row]
  private let header: [String]

  struct Row {
    var line: Int
    var cells: [String]

    subscript(column: Int?) -> String { column.map { cells[$0] } ?? "" }
  }

  init(_ text: String) throws(MatchTableError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    header = lines.first.map(Self.cells) ?? []
    var seen: Set<String> = []
    for name in header where !name.isEmpty && !seen.insert(name).inserted { throw .repeatedColumn(name) }
    var rows: [Row] = []
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let cells = Self.cells(line)
      guard cells.count >= header.count else { throw .tooFewCells(line: number + 1) }
      rows.append(Row(line: number + 1, cells: cells))
    }
    self.rows = rows
  }

  /// Returns the index of a column; `nil` if the header does not name it.
  func optional(_ name: String) -> Int? { header.firstIndex(of: name) }

  func required(_ name: String) throws(MatchTableError) -> Int {
    guard let index = optional(name) else { throw .noColumn(name) }
    return index
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Reason why a table of face match cannot be used.
public enum MatchTableError: Error, Hashable, Sendable, CustomStringConvertible {
  case noColumn(String)
  case repeatedColumn(String)
  case tooFewCells(line: Int)
  case emptyCell(line: Int, column: String)
  case badPath(line: Int)
  case badLiveness(line: Int)
  /// The template has the wrong number of components.
  case wrongCount(line: Int, count: Int, expected: Int)
  /// A component of the template is not a finite number; positions begin with 1.
  case badNumber(line: Int, position: Int)
  /// All components of the template are zero, or too large.
  case noDirection(line: Int)
  case repeatedID(line: Int, earlier: Int)
  /// Two clips have the same template, so that one picture is in the table twice.
  case repeatedTemplate(line: Int, earlier: Int)
  /// A clip has rows with different persons, labels or liveness results.
  case contradiction(line: Int, column: String, earlier: Int)
  case severalModels(line: Int)
  case tooManyRows(limit: Int)
  case tooManyClips(limit: Int)
  case noRows

  public var description: String {
    switch self {
    case .noColumn(let name): "the header has no column \(name)"
    case .repeatedColumn(let name): "the header names the column \(name) twice"
    case .tooFewCells(let line): "line \(line) has fewer cells than the header"
    case .emptyCell(let line, let column): "line \(line) has an empty cell in the column \(column)"
    case .badPath(let line): "line \(line) has no path, or one that leaves the manifest's folder"
    case .badLiveness(let line): "line \(line), column liveness: neither passed, failed, not-assessed nor empty"
    case .wrongCount(let line, let count, let expected):
      "line \(line), column template: \(count) numbers, not \(expected)"
    case .badNumber(let line, let position): "line \(line), column template: number \(position) is not finite"
    case .noDirection(let line): "line \(line), column template: all numbers are zero, or they are too large"
    case .repeatedID(let line, let earlier): "line \(line) repeats line \(earlier)"
    case .repeatedTemplate(let line, let earlier):
      "line \(line) has the template of line \(earlier), which belongs to another clip: one picture is in the table twice"
    case .contradiction(let line, let column, let earlier):
      "line \(line), column \(column): its clip has another value on line \(earlier)"
    case .severalModels(let line): "line \(line), column model: templates of different models cannot be compared"
    case .tooManyRows(let limit): "there are more than \(limit) rows"
    case .tooManyClips(let limit): "there are more than \(limit) clips"
    case .noRows: "there are no rows"
    }
  }
}
