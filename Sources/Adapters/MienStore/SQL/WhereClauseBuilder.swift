/// Builder of a WHERE clause from conditions joined by AND, with their values.
struct WhereClauseBuilder: Sendable {
  private var parts: [String] = []
  private(set) var values: [(any SQLBindable)?] = []

  /// Adds a condition that contains one `?` for each of its values.
  mutating func add(_ condition: String, _ more: any SQLBindable...) { add(condition, values: more) }

  /// Adds a condition that contains one `?` for each of its values.
  mutating func add(_ condition: String, values more: [(any SQLBindable)?]) {
    var text = ""
    var next = values.count
    for character in condition {
      if character == "?" { next += 1 }
      text += character == "?" ? "$\(next)" : String(character)
    }
    parts.append(text)
    values += more
  }

  /// ` WHERE …`, or an empty string without conditions.
  var clause: String { parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ") }
}

/// Statement with its values.
struct SQLQuery: Sendable {
  let sql: String
  let values: [(any SQLBindable)?]
}
