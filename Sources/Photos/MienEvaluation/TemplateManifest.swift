public import MienCore

/// Table of face templates of known people, from which a comparison of faces is evaluated without pictures; see
/// Documentation/reference/formats/EvaluationManifest.md.
///
/// Templates are biometric data: descriptions withhold them.
public struct TemplateManifest: Hashable, Sendable {
  /// Limits of a table: the number of compared pairs grows with their squares.
  public static let mostRows = 20_000
  public static let mostClips = 2_000
  /// Label of a row without a label.
  public static let bonaFide = "bona-fide"

  public var rows: [Row]
  /// Version of the model and of the alignment; `nil` if the table has no such column.
  public var model: String?
  /// `true` if the table has a column of liveness results.
  public var hasLiveness: Bool

  /// One frame or picture.
  public struct Row: Hashable, Sendable {
    public var id: String
    /// Name or number of the person whose face is shown; for an attack, the person who is impersonated.
    public var person: String
    /// Recording to which the frame belongs; frames of one clip resemble each other.
    public var clip: String
    /// Bona fide, or the attack species, as in ``Presentation/isBonaFide(_:)``.
    public var label: String
    /// `nil` if no liveness check was made.
    public var liveness: LivenessOutcome?
    /// `nil` if the face was not assessed.
    public var template: FaceTemplate?
    /// Reason why the face was not assessed.
    public var problem: String

    public init(
      id: String, person: String, clip: String, label: String = bonaFide, liveness: LivenessOutcome? = nil,
      template: FaceTemplate?, problem: String = ""
    ) {
      self.id = id
      self.person = person
      self.clip = clip
      self.label = label
      self.liveness = liveness
      self.template = template
      self.problem = problem
    }
  }

  public init(rows: [Row], model: String?, hasLiveness: Bool) {
    self.rows = rows
    self.model = model
    self.hasLiveness = hasLiveness
  }

  /// Returns `true` if the header of a table names a column of templates, so that it needs no pictures.
  public static func isTemplateTable(_ text: String) -> Bool {
    let header = text.prefix { !$0.isNewline }
    return header.split(separator: "\t", omittingEmptySubsequences: false).contains("template")
  }

  public init(_ text: String) throws(MatchTableError) {
    let table = try MatchTable(text)
    let (id, person) = (try table.required("id"), try table.required("person"))
    let (clip, template) = (try table.required("clip"), try table.required("template"))
    let (label, liveness) = (table.optional("label"), table.optional("liveness"))
    let (model, problem) = (table.optional("model"), table.optional("problem"))
    guard table.rows.count <= Self.mostRows else { throw .tooManyRows(limit: Self.mostRows) }
    rows = []
    hasLiveness = liveness != nil
    var ids: [String: Int] = [:]
    var clips: [String: (line: Int, row: Row)] = [:]
    var templates: [FaceTemplate: (line: Int, clip: String)] = [:]
    for cells in table.rows {
      let line = cells.line
      for (column, name) in [(id, "id"), (person, "person"), (clip, "clip")] where cells[column].isEmpty {
        throw .emptyCell(line: line, column: name)
      }
      let row = Row(
        id: cells[id], person: cells[person], clip: cells[clip],
        label: cells[label].isEmpty ? Self.bonaFide : cells[label], liveness: try cells.liveness(liveness),
        template: try Self.template(cells[template], line: line), problem: cells[problem])
      if let earlier = ids.updateValue(line, forKey: row.id) { throw .repeatedID(line: line, earlier: earlier) }
      if let (earlier, first) = clips[row.clip] {
        let equal = [
          ("person", first.person == row.person), ("label", first.label == row.label),
          ("liveness", first.liveness == row.liveness),
        ]
        for (column, isEqual) in equal where !isEqual {
          throw .contradiction(line: line, column: column, earlier: earlier)
        }
      } else {
        clips[row.clip] = (line, row)
      }
      if let template = row.template {
        if let earlier = templates[template], earlier.clip != row.clip {
          throw .repeatedTemplate(line: line, earlier: earlier.line)
        }
        templates[template] = (line, row.clip)
      }
      guard cells[model] == table.rows[0][model] else { throw .severalModels(line: line) }
      rows.append(row)
    }
    guard !rows.isEmpty else { throw .noRows }
    guard clips.count <= Self.mostClips else { throw .tooManyClips(limit: Self.mostClips) }
    self.model = table.rows[0][model].isEmpty ? nil : table.rows[0][model]
  }

  /// The table as text.
  public var text: String {
    "id\tperson\tclip\tlabel\tliveness\tmodel\tproblem\ttemplate\n"
      + rows.map { row in
        let numbers = row.template.map { $0.values.map { "\($0)" }.joined(separator: " ") } ?? ""
        let cells = [
          row.id, row.person, row.clip, row.label, row.liveness?.rawValue ?? "", model ?? "", row.problem, numbers,
        ]
        return cells.joined(separator: "\t") + "\n"
      }.joined()
  }

  private static func template(_ cell: String, line: Int) throws(MatchTableError) -> FaceTemplate? {
    guard !cell.isEmpty else { return nil }
    var values: [Float] = []
    for (index, part) in cell.split(separator: " ").enumerated() {
      guard let value = Float(part), value.isFinite else { throw .badNumber(line: line, position: index + 1) }
      values.append(value)
    }
    guard values.count == FaceTemplate.count else {
      throw .wrongCount(line: line, count: values.count, expected: FaceTemplate.count)
    }
    guard let template = FaceTemplate(values) else { throw .noDirection(line: line) }
    return template
  }
}

extension TemplateManifest: CustomStringConvertible, CustomReflectable {
  public var description: String { "TemplateManifest(\(rows.count) rows, templates withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
