/// Row of a result, copied from libpq's memory.
struct PostgresRow: Sendable {
  let columns: [String: Int]
  let cells: [[UInt8]?]

  /// Value of a column that is not null.
  subscript<Value: PostgresReadable>(_ name: String) -> Value {
    get throws(PostgresError) {
      guard let value: Value = try self[maybe: name] else { throw PostgresError(.unreadable) }
      return value
    }
  }

  /// Value of a nullable column.
  subscript<Value: PostgresReadable>(maybe name: String) -> Value? {
    get throws(PostgresError) {
      guard let index = columns[name] else { throw PostgresError(.unreadable) }
      guard let cell = cells[index] else { return nil }
      guard let value = Value(cell: cell) else { throw PostgresError(.unreadable) }
      return value
    }
  }
}

/// Value that can be read from the binary format of its type.
protocol PostgresReadable {
  /// Returns `nil` if the data has the wrong width or is not valid text.
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

/// Stored in numeric columns as 0 or 1, in both stores.
extension Bool: PostgresReadable {
  init?(cell: [UInt8]) {
    switch Int64(cell: cell) {
    case 0: self = false
    case 1: self = true
    default: return nil
    }
  }
}
