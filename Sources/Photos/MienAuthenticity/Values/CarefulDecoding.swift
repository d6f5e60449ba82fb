import MienCore

/// Decoding that rejects hostile JSON: numbers that are not finite, and strings and lists of excessive length.
extension KeyedDecodingContainer {
  func finite(forKey key: Key) throws -> Double {
    let value = try decode(Double.self, forKey: key)
    guard value.isFinite else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not a finite number")
    }
    return value
  }

  func score(forKey key: Key) throws -> Score {
    guard let score = Score(try decode(Double.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not in 0…1")
    }
    return score
  }

  /// Decodes a number in 0…1.
  func fraction(forKey key: Key) throws -> Double { try score(forKey: key).value }

  func finiteIfPresent(forKey key: Key) throws -> Double? {
    try contains(key) && !decodeNil(forKey: key) ? finite(forKey: key) : nil
  }

  func fractionIfPresent(forKey key: Key) throws -> Double? {
    try contains(key) && !decodeNil(forKey: key) ? fraction(forKey: key) : nil
  }

  /// Decodes a string of at most 200 bytes.
  func shortText(forKey key: Key) throws -> String {
    let text = try decode(String.self, forKey: key)
    guard text.utf8.count <= 200 else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "longer than 200 bytes")
    }
    return text
  }

  func shortTextIfPresent(forKey key: Key) throws -> String? {
    try contains(key) && !decodeNil(forKey: key) ? shortText(forKey: key) : nil
  }

  /// Decodes a list of at most 256 elements; empty if the key is missing.
  func shortList<Element: Decodable>(of type: Element.Type, forKey key: Key) throws -> [Element] {
    guard contains(key), try !decodeNil(forKey: key) else { return [] }
    var box = try nestedUnkeyedContainer(forKey: key)
    var list: [Element] = []
    while !box.isAtEnd {
      guard list.count < 256 else {
        throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "more than 256 elements")
      }
      list.append(try box.decode(Element.self))
    }
    return list
  }
}
