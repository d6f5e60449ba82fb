/// Conditions that all hold, each with its values.
struct WhereClauseBuilder: Sendable {
  private var parts: [String] = []
  private(set) var values: [(any PostgresBindable)?] = []

  /// Adds a condition; its values stand as `?` in it, one for each.
  mutating func add(_ condition: String, _ more: any PostgresBindable...) {
    var text = ""
    var next = values.count
    for character in condition {
      if character == "?" { next += 1 }
      text += character == "?" ? "$\(next)" : String(character)
    }
    parts.append(text)
    values += more
  }

  /// ` WHERE …`, or nothing.
  var clause: String { parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ") }
}
