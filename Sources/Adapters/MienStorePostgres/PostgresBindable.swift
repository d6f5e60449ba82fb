/// A value that goes into a statement.
protocol PostgresBindable: Sendable {
  /// Its bytes as PostgreSQL reads them, and whether that is the binary form of its type.
  ///
  /// Texts and bytes go in binary, since their text form ends at a zero byte; numbers go as text, so that the database
  /// chooses their width.
  var bound: (bytes: [UInt8], isBinary: Bool) { get }
}

extension String: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { (Array(utf8), true) }
}

extension [UInt8]: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { (self, true) }
}

extension Int: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { (Array(description.utf8), false) }
}

extension Int64: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { (Array(description.utf8), false) }
}

extension Double: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { (Array(description.utf8), false) }
}

/// Flags stand in columns of numbers, 0 or 1, in both stores.
extension Bool: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { ([UInt8(ascii: self ? "1" : "0")], false) }
}
