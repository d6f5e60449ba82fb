/// One value of a record as a database holds it. It prints as its kind only: it may be anybody's face.
public enum StoreValue: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  case empty
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// What a column holds.
  public enum Kind: String, Hashable, Sendable {
    case integer, real, text, bytes
  }

  /// About how many bytes it takes.
  var size: Int {
    switch self {
    case .empty, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// The same value in a column of another kind: texts are bytes where a database cannot hold every character. Nil when it
  /// cannot be held at all.
  func held(as kind: Kind) -> StoreValue? {
    switch (self, kind) {
    case (.empty, _), (.integer, .integer), (.real, .real), (.text, .text), (.bytes, .bytes): self
    case (.text(let text), .bytes): .bytes(Array(text.utf8))
    case (.bytes(let bytes), .text): String(validating: bytes, as: UTF8.self).map { .text($0) }
    default: nil
    }
  }

  /// True for the same value to the last bit.
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
