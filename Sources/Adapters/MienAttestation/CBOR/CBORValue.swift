/// A data item of CBOR (RFC 8949), of the kinds that attestations are made of.
enum CBORValue: Hashable, Sendable {
  case unsigned(UInt64)
  /// -1 - n, of which n is kept.
  case negative(UInt64)
  case bytes([UInt8])
  case text(String)
  case array([CBORValue])
  /// No key twice; in the order in which they came.
  case map([Entry])

  struct Entry: Hashable, Sendable {
    let key: CBORValue
    let value: CBORValue
  }

  /// The value of a text key; nil when this is no map, or has none.
  subscript(key: String) -> CBORValue? { self[.text(key)] }

  subscript(key: CBORValue) -> CBORValue? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// A whole number, where it fits.
  static func number(_ number: Int) -> CBORValue {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  var asBytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
  var asText: String? { if case .text(let text) = self { text } else { nil } }
  var asArray: [CBORValue]? { if case .array(let values) = self { values } else { nil } }
  /// The keys of a map, when all of them are texts.
  var textKeys: [String]? {
    guard case .map(let entries) = self else { return nil }
    let keys = entries.compactMap(\.key.asText)
    return keys.count == entries.count ? keys : nil
  }
}
