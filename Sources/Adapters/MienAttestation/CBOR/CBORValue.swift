/// CBOR (RFC 8949) data item of one of the types that occur in attestations.
enum CBORValue: Hashable, Sendable {
  case unsigned(UInt64)
  /// -1 - n, stored as n.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// Entries in order of occurrence, with unique keys.
  case map([Entry])

  struct Entry: Hashable, Sendable {
    let key: CBORValue
    let value: CBORValue
  }

  /// Value of a text key; `nil` if this is not a map or has no such key.
  subscript(key: String) -> CBORValue? { self[.text(key)] }

  subscript(key: CBORValue) -> CBORValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// Returns an integer of the type that its sign requires.
  static func number(_ number: Int) -> CBORValue {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var asText: String? { if case .text(let text) = self { text } else { nil } }
  var asArray: [CBORValue]? { if case .array(let values) = self { values } else { nil } }
  /// Keys of a map if all of them are text strings; otherwise `nil`.
  var textKeys: [String]? {
    guard case .map(let entries) = self else { return nil }
    let keys = entries.compactMap(\.key.asText)
    return keys.count == entries.count ? keys : nil
  }
}
