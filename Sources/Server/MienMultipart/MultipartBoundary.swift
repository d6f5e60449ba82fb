/// The boundary of a form: 1 to 70 characters that RFC 2046, section 5.1.1, allows, not ending in a space.
public struct MultipartBoundary: Hashable, Sendable, CustomStringConvertible {
  /// The characters as bytes of ASCII.
  public let bytes: [UInt8]

  /// Refuses (nil) what RFC 2046 does not allow.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...70).contains(bytes.count), bytes.allSatisfy(Self.isAllowed), bytes.last != UInt8(ascii: " ") else {
      return nil
    }
    self.bytes = bytes
  }

  /// The boundary that a `Content-Type` header names.
  ///
  /// - Throws: ``MultipartError`` with `noBoundary` when it is another type, or has none, or two.
  public init(contentType: String) throws(MultipartError) {
    guard let header = HeaderValue(contentType), header.token == "multipart/form-data",
      let text = header.only("boundary"), let boundary = MultipartBoundary(text)
    else { throw MultipartError(.noBoundary, part: 0) }
    self = boundary
  }

  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// `bchars` of RFC 2046.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }
}
