/// Value of a column or a statement parameter.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

/// Type whose values can be statement parameters.
protocol SQLBindable: Sendable {
  var sqlValue: SQLValue { get }
}

/// Type whose values can be read from columns.
protocol SQLReadable {
  /// Returns `nil` if the column holds a value of another kind or an invalid one.
  init?(sqlValue: SQLValue)
}

extension SQLValue: SQLBindable {
  var sqlValue: SQLValue { self }
}

extension String: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .text(self) }

  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .text(let text): self = text
    case .bytes(let bytes): self.init(validating: bytes, as: UTF8.self)
    default: return nil
    }
  }
}

extension [UInt8]: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .bytes(self) }

  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .bytes(let bytes): self = bytes
    case .text(let text): self = Array(text.utf8)
    default: return nil
    }
  }
}

extension Int64: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .integer(self) }

  init?(sqlValue: SQLValue) {
    guard case .integer(let number) = sqlValue else { return nil }
    self = number
  }
}

extension Int: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .integer(Int64(self)) }

  init?(sqlValue: SQLValue) {
    guard case .integer(let number) = sqlValue else { return nil }
    self.init(exactly: number)
  }
}

extension Double: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .real(self) }

  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number): self.init(number)
    default: return nil
    }
  }
}

/// Stored as 0 or 1.
extension Bool: SQLBindable, SQLReadable {
  var sqlValue: SQLValue { .integer(self ? 1 : 0) }

  init?(sqlValue: SQLValue) {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

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
