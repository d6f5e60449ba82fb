/// Arbitrary key of a JSON object, used to detect unknown keys.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Error for a key that the request type does not define; a misspelled key must not be ignored silently.
public struct UnknownKeyError: Error, Hashable, Sendable {
  /// Key as received, truncated to 64 characters.
  public let key: String
  /// Keys that the request type defines.
  public let known: [String]
}

extension Decoder {
  /// Throws ``UnknownKeyError`` if the object has a key that is not in `Keys`.
  func refuseStrayKeys<Keys: CodingKey & CaseIterable>(_: Keys.Type) throws {
    for key in try container(keyedBy: AnyCodingKey.self).allKeys where Keys(stringValue: key.stringValue) == nil {
      throw UnknownKeyError(key: String(key.stringValue.prefix(64)), known: Keys.allCases.map(\.stringValue))
    }
  }
}
