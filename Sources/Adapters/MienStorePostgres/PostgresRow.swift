/// A row of an answer, copied out of it.
struct PostgresRow: Sendable {
  let columns: [String: Int]
  let cells: [[UInt8]?]

  /// The value of a column that is never empty.
  subscript<Value: PostgresReadable>(_ name: String) -> Value {
    get throws(PostgresError) {
      guard let value: Value = try self[maybe: name] else { throw PostgresError(.unreadable) }
      return value
    }
  }

  /// The value of a column that may be empty.
  subscript<Value: PostgresReadable>(maybe name: String) -> Value? {
    get throws(PostgresError) {
      guard let index = columns[name] else { throw PostgresError(.unreadable) }
      guard let cell = cells[index] else { return nil }
      guard let value = Value(cell: cell) else { throw PostgresError(.unreadable) }
      return value
    }
  }
}

/// A value in the binary form of its type.
protocol PostgresReadable {
  /// Refuses (nil) what is of another width or no text.
  init?(cell: [UInt8])
}

extension [UInt8]: PostgresReadable {
  init?(cell: [UInt8]) { self = cell }
}

extension String: PostgresReadable {
  init?(cell: [UInt8]) { self.init(validating: cell, as: UTF8.self) }
}

extension Int64: PostgresReadable {
  init?(cell: [UInt8]) {
    guard cell.count == 8 else { return nil }
    self.init(bitPattern: cell.reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension Int: PostgresReadable {
  init?(cell: [UInt8]) {
    guard let wide = Int64(cell: cell) else { return nil }
    self.init(exactly: wide)
  }
}

extension Double: PostgresReadable {
  init?(cell: [UInt8]) {
    guard cell.count == 8 else { return nil }
    self.init(bitPattern: cell.reduce(0) { $0 << 8 | UInt64($1) })
  }
}

/// Flags stand in columns of numbers, 0 or 1, in both stores.
extension Bool: PostgresReadable {
  init?(cell: [UInt8]) {
    switch Int64(cell: cell) {
    case 0: self = false
    case 1: self = true
    default: return nil
    }
  }
}
