/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5), as used by JOSE.
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    var (store, bits) = (0, 0)
    for byte in bytes {
      store = (store << 8 | Int(byte)) & 0xFFFF
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[store >> bits & 63])
      }
    }
    if bits > 0 { text.append(alphabet[store << (6 - bits) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Encodes bytes with the standard alphabet and padding (RFC 4648, section 4).
  package static func standard(_ bytes: [UInt8]) -> String {
    let text = encode(bytes).utf8.map { byte in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (3 - bytes.count % 3) % 3)
    return String(decoding: text + padding, as: UTF8.self)
  }

  /// Decodes text that ``encode(_:)`` can produce. Returns `nil` for any other text, so that no two texts decode to the
  /// same bytes.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var (store, bits) = (0, 0)
    for character in text.utf8 {
      guard let value = value(of: character) else { return nil }
      store = (store << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: store >> bits))
      }
    }
    guard bits < 6, store & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
