/// Percent-encoding for Signature Version 4: all except the unreserved characters of RFC 3986, in uppercase.
enum S3PercentEncoding {
  private static let digits = Array("0123456789ABCDEF".utf8)

  /// Encodes a query name or value.
  static func value(_ text: String) -> String { escape(text, keeping: []) }

  /// Encodes a key, without its slashes.
  static func path(_ text: String) -> String { escape(text, keeping: [UInt8(ascii: "/")]) }

  private static func escape(_ text: String, keeping: [UInt8]) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) || keeping.contains(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
