/// Result of a liveness check.
public enum LivenessOutcome: String, Codable, Hashable, Sendable, CaseIterable {
  case passed, failed
  /// The check had no result.
  case notAssessed = "not-assessed"
}

/// Table of pictures and clips of known people, from which templates are made; see
/// Documentation/reference/formats/EvaluationManifest.md.
public struct ClipManifest: Hashable, Sendable {
  public var rows: [Row]

  public struct Row: Hashable, Sendable {
    public var path: String
    /// Name or number of the person whose face is shown; for an attack, the person who is impersonated.
    public var person: String
    /// Recording to which the file belongs; the files of one clip resemble each other.
    public var clip: String
    public var label: String
    /// `nil` if no liveness check was made.
    public var liveness: LivenessOutcome?
  }

  public init(_ text: String) throws(MatchTableError) {
    let table = try MatchTable(text)
    let (path, person) = (try table.required("path"), try table.required("person"))
    let (clip, label) = (table.optional("clip"), table.optional("label"))
    let liveness = table.optional("liveness")
    rows = []
    var seen: [String: Int] = [:]
    for row in table.rows {
      let name = row[path]
      guard !name.isEmpty, !name.split(separator: "/").contains(".."), !name.contains("\0") else {
        throw .badPath(line: row.line)
      }
      if let earlier = seen.updateValue(row.line, forKey: name) { throw .repeatedID(line: row.line, earlier: earlier) }
      guard !row[person].isEmpty else { throw .emptyCell(line: row.line, column: "person") }
      rows.append(
        Row(
          path: name, person: row[person], clip: row[clip].isEmpty ? name : row[clip],
          label: row[label].isEmpty ? TemplateManifest.bonaFide : row[label],
          liveness: try row.liveness(liveness)))
    }
    guard !rows.isEmpty else { throw .noRows }
  }
}

extension MatchTable.Row {
  /// Returns the liveness result in a cell; `nil` if it is empty.
  func liveness(_ column: Int?) throws(MatchTableError) -> LivenessOutcome? {
    let text = self[column]
    guard !text.isEmpty else { return nil }
    guard let outcome = LivenessOutcome(rawValue: text) else { throw .badLiveness(line: line) }
    return outcome
  }
}
