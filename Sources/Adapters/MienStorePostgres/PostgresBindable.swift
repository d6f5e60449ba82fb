/// Value that can be bound to a statement parameter.
protocol PostgresBindable: Sendable {
  /// Encoded value, and whether it is in the binary format of its type.
  ///
  /// Text and byte strings use the binary format, because the text format ends at a zero byte. Numbers use the text format, so that the
  /// database chooses their width.
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

/// Stored in numeric columns as 0 or 1, in both stores.
extension Bool: PostgresBindable {
  var bound: (bytes: [UInt8], isBinary: Bool) { ([UInt8(ascii: self ? "1" : "0")], false) }
}
