/// A value of a record as stored in a database. Its description contains only the kind: the value may be personal data.
public enum StoreValue: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  case empty
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// Type of the values in a column.
  public enum Kind: String, Hashable, Sendable {
    case integer, real, text, bytes
  }

  /// Approximate size in bytes.
  var size: Int {
    switch self {
    case .empty, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// Converts the value for a column of another kind: texts are bytes where a database cannot store every character.
  /// Returns `nil` if the column cannot store it.
  func held(as kind: Kind) -> StoreValue? {
    switch (self, kind) {
    case (.empty, _), (.integer, .integer), (.real, .real), (.text, .text), (.bytes, .bytes): self
    case (.text(let text), .bytes): .bytes(Array(text.utf8))
    case (.bytes(let bytes), .text): String(validating: bytes, as: UTF8.self).map { .text($0) }
    default: nil
    }
  }

  /// Returns `true` if the values are identical to the last bit.
  func isSame(as other: StoreValue) -> Bool {
    if case .real(let one) = self, case .real(let two) = other { return one.bitPattern == two.bitPattern }
    return self == other
  }

  public var description: String {
    switch self {
    case .empty: "empty"
    case .integer: "an integer"
    case .real: "a number"
    case .text: "a text"
    case .bytes: "bytes"
    }
  }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
