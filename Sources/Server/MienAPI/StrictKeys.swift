/// Any key of a JSON object, to look for strays.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A key that the request does not have; a misspelled key must not be ignored in silence.
public struct UnknownKeyError: Error, Hashable, Sendable {
  /// The key as it was sent, cut to 64 characters.
  public let key: String
  /// The keys the request knows.
  public let known: [String]
}

extension Decoder {
  /// Throws ``UnknownKeyError`` when the object has a key that `Keys` does not name.
  func refuseStrayKeys<Keys: CodingKey & CaseIterable>(_: Keys.Type) throws {
    for key in try container(keyedBy: AnyCodingKey.self).allKeys where Keys(stringValue: key.stringValue) == nil {
      throw UnknownKeyError(key: String(key.stringValue.prefix(64)), known: Keys.allCases.map(\.stringValue))
    }
  }
}
