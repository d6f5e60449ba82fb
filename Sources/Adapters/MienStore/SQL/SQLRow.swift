/// Row of a result.
struct SQLRow: Sendable {
  /// Index of each column by name, shared by the rows of a result.
  let columns: [String: Int]
  let values: [SQLValue]

  /// Value of a column that is not null.
  subscript<Value: SQLReadable>(_ name: String) -> Value {
    get throws(SQLReadError) {
      guard let index = columns[name], let value = Value(sqlValue: values[index]) else { throw SQLReadError() }
      return value
    }
  }

  /// Value of a nullable column.
  subscript<Value: SQLReadable>(optional name: String) -> Value? {
    get throws(SQLReadError) {
      guard let index = columns[name] else { throw SQLReadError() }
      if case .null = values[index] { return nil }
      guard let value = Value(sqlValue: values[index]) else { throw SQLReadError() }
      return value
    }
  }
}

/// Error of a value that does not have the type of its column, or of a column that is missing in the result.
struct SQLReadError: Error, Hashable {}
