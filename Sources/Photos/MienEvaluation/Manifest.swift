/// Table of labeled presentations: tab-separated values with a header; see Documentation/reference/formats/EvaluationManifest.md.
public struct Manifest: Hashable, Sendable {
  public var rows: [Row]
  /// Names of the checks whose native values are in the table.
  public var given: [String]

  public struct Row: Hashable, Sendable {
    public var path: String
    public var label: String
    public var source: String
    /// Native value per check; nil if the cell is empty.
    public var measures: [String: Double?]
  }

  /// Reason why a table cannot be parsed.
  public enum FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    case noColumn(String)
    case tooFewCells(line: Int)
    case badPath(line: Int)
    case badNumber(line: Int, column: String)
    case noRows

    public var description: String {
      switch self {
      case .noColumn(let name): "the header has no column \(name)"
      case .tooFewCells(let line): "line \(line) has fewer cells than the header"
      case .badPath(let line): "line \(line) has no path, or one that leaves the manifest's folder"
      case .badNumber(let line, let column): "line \(line), column \(column): not a finite number"
      case .noRows: "there are no rows"
      }
    }
  }

  /// - Parameter checks: names of columns that hold native values.
  public init(_ text: String, checks: Set<String>) throws(FormatError) {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    let header = lines.first.map(Self.cells) ?? []
    guard let path = header.firstIndex(of: "path") else { throw .noColumn("path") }
    guard let label = header.firstIndex(of: "label") else { throw .noColumn("label") }
    let source = header.firstIndex(of: "source")
    let columns = header.indices.filter { checks.contains(header[$0]) }
    given = columns.map { header[$0] }
    rows = []
    for (number, line) in lines.enumerated().dropFirst() where !line.isEmpty {
      let cells = Self.cells(line)
      guard cells.count >= header.count else { throw .tooFewCells(line: number + 1) }
      let parts = cells[path].split(separator: "/", omittingEmptySubsequences: false)
      guard !cells[path].isEmpty, !parts.contains(".."), !cells[path].contains("\0") else {
        throw .badPath(line: number + 1)
      }
      var measures: [String: Double?] = [:]
      for column in columns {
        guard !cells[column].isEmpty else {
          measures.updateValue(nil, forKey: header[column])
          continue
        }
        guard let value = Double(cells[column]), value.isFinite else {
          throw .badNumber(line: number + 1, column: header[column])
        }
        measures[header[column]] = value
      }
      rows.append(
        Row(
          path: cells[path], label: cells[label],
          source: source.map { cells[$0] } ?? (parts.count > 1 ? String(parts[0]) : "all"), measures: measures))
    }
    guard !rows.isEmpty else { throw .noRows }
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  }
}

/// A labeled presentation and the result of one check.
public struct Presentation: Codable, Hashable, Sendable {
  /// File path as given in the manifest.
  public var path: String
  /// Label as given; for attacks, the species (ISO/IEC 30107-3: presentation attack instrument species).
  public var label: String
  /// Source of the presentation; images of one source resemble each other.
  public var source: String
  /// `true` for an attack, `false` for a bona fide presentation.
  public var isAttack: Bool
  /// Native value, which grows with evidence of an attack; nil if there was no answer.
  public var measure: Double?
  public var answer: Answer

  /// Classification by the check.
  public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
    case genuine, undecided, suspect
    /// No response: the check was not assessed.
    case notAssessed = "not-assessed"
  }

  public init(path: String, label: String, source: String, measure: Double?, answer: Answer) {
    self.path = path
    self.label = label
    self.source = source
    self.measure = measure
    self.answer = answer
    isAttack = !Self.isBonaFide(label)
  }

  /// Returns `true` if the label's first word is `genuine`, `bona`, `bonafide`, `real` or `live`; all other labels are
  /// attacks: `real-2` is a bona fide presentation, `realistic-mask` and `liveportrait` are attacks.
  public static func isBonaFide(_ label: String) -> Bool {
    let first = label.lowercased().prefix { $0.isLetter }
    return ["genuine", "bona", "bonafide", "real", "live"].contains { first == $0 }
  }
}
