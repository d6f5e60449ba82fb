/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5), as JOSE writes it.
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

  /// The same bytes with the standard alphabet and padding (RFC 4648, section 4).
  static func standard(_ bytes: [UInt8]) -> String {
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
}
