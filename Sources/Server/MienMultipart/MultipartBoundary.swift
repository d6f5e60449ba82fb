/// Boundary of a multipart form: 1 to 70 characters allowed by RFC 2046, section 5.1.1, without a trailing space.
public struct MultipartBoundary: Hashable, Sendable, CustomStringConvertible {
  /// Characters as ASCII bytes.
  public let bytes: [UInt8]

  /// Creates a boundary; returns `nil` if RFC 2046 does not allow it.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (1...70).contains(bytes.count), bytes.allSatisfy(Self.isAllowed), bytes.last != UInt8(ascii: " ") else {
      return nil
    }
    self.bytes = bytes
  }

  /// Creates the boundary given in a `Content-Type` header.
  ///
  /// - Throws: ``MultipartError`` with `noBoundary` for another media type, or if there is no boundary or more than
  ///   one.
  public init(contentType: String) throws(MultipartError) {
    guard let header = HeaderValue(contentType), header.token == "multipart/form-data",
      let text = header.only("boundary"), let boundary = MultipartBoundary(text)
    else { throw MultipartError(.noBoundary, part: 0) }
    self = boundary
  }

  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Returns `true` for `bchars` of RFC 2046.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: "'()+_,-./:=? ".utf8.contains(byte)
    }
  }
}
