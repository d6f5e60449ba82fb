/// Header value with parameters: a token, then `; name=value` with tokens or quoted strings (RFC 9110, section 5.6.6).
struct HeaderValue {
  /// Text before the first semicolon, in lowercase.
  let token: String
  /// Parameters in order, with lowercase names; a duplicate name makes the parameter ambiguous.
  let parameters: [(name: String, value: String)]

  /// Parses a header value; returns `nil` if it is not a token with parameters.
  init?(_ text: String) {
    var reader = Reader(bytes: Array(text.utf8))
    reader.skipBlanks()
    guard let token = reader.token(and: UInt8(ascii: "/")) else { return nil }
    var parameters: [(name: String, value: String)] = []
    reader.skipBlanks()
    while reader.take(UInt8(ascii: ";")) {
      reader.skipBlanks()
      // A trailing semicolon is common and has no meaning.
      if reader.isAtEnd || reader.isAt(UInt8(ascii: ";")) { continue }
      guard let name = reader.token(and: nil) else { return nil }
      reader.skipBlanks()
      guard reader.take(UInt8(ascii: "=")) else { return nil }
      reader.skipBlanks()
      guard let value = reader.value() else { return nil }
      parameters.append((name.lowercased(), value))
      reader.skipBlanks()
    }
    guard reader.isAtEnd else { return nil }
    self.token = token.lowercased()
    self.parameters = parameters
  }

  /// Returns the value of the parameter with this name, or `nil` if there is none or more than one.
  func only(_ name: String) -> String? {
    let found = parameters.filter { $0.name == name }
    return found.count == 1 ? found.first?.value : nil
  }

  func has(_ name: String) -> Bool { parameters.contains { $0.name == name } }
}

/// Reader of a header value's bytes.
private struct Reader {
  let bytes: [UInt8]
  var place = 0

  var isAtEnd: Bool { place == bytes.count }

  func isAt(_ byte: UInt8) -> Bool { place < bytes.count && bytes[place] == byte }

  mutating func take(_ byte: UInt8) -> Bool {
    guard isAt(byte) else { return false }
    place += 1
    return true
  }

  mutating func skipBlanks() {
    while isAt(UInt8(ascii: " ")) || isAt(UInt8(ascii: "\t")) { place += 1 }
  }

  /// Returns a token of RFC 9110; the byte `more` is allowed in addition.
  mutating func token(and more: UInt8?) -> String? {
    let start = place
    while place < bytes.count, Self.isToken(bytes[place]) || bytes[place] == more { place += 1 }
    return place == start ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
  }

  mutating func value() -> String? {
    guard take(UInt8(ascii: "\"")) else {
      // Unquoted boundaries may contain characters that are not allowed in tokens, such as `=` and `:`.
      let start = place
      while place < bytes.count, !isAt(UInt8(ascii: ";")), !isAt(UInt8(ascii: "\"")), bytes[place] > 0x20 { place += 1 }
      return place == start ? nil : String(validating: bytes[start..<place], as: UTF8.self)
    }
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return String(validating: text, as: UTF8.self) }
      // Only `\"` and `\\` are escapes: browsers send the backslashes of a Windows path unescaped.
      if byte == UInt8(ascii: "\\"), isAt(UInt8(ascii: "\"")) || isAt(UInt8(ascii: "\\")) {
        text.append(bytes[place])
        place += 1
      } else {
        text.append(byte)
      }
    }
    return nil
  }

  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
