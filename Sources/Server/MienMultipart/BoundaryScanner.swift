/// Delimiter between two parts, `CR LF "--" boundary`, and the search for it.
///
/// The delimiter contains only one carriage return, so bytes that were compared need not be examined again after a
/// mismatch: the search takes linear time for any input, and examines one byte in about 40 of a photo (Horspool 1980,
/// with the comparison from the front).
struct BoundaryScanner: Hashable {
  let bytes: ContiguousArray<UInt8>
  /// Number of bytes by which the search may advance, indexed by the byte at the position of the delimiter's last byte.
  private let shifts: ContiguousArray<Int>

  init(_ boundary: MultipartBoundary) {
    bytes = ContiguousArray([0x0D, 0x0A, 0x2D, 0x2D] + boundary.bytes)
    var shifts = ContiguousArray(repeating: bytes.count, count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
    self.shifts = shifts
  }

  enum Found: Equatable {
    /// Offset of a complete delimiter.
    case whole(Int)
    /// Offset of a possible delimiter that is cut off by the end of the chunk.
    case perhaps(Int)
    case none
  }

  /// Finds the first delimiter at or after `start`.
  func find(in chunk: Span<UInt8>, from start: Int) -> Found {
    let (length, last) = (bytes.count, bytes.count - 1)
    let end = bytes[last]
    var place = start
    while place + last < chunk.count {
      let byte = chunk[place + last]
      if byte == end, chunk[place] == 0x0D {
        var same = 1
        while same < length, chunk[place + same] == bytes[same] { same += 1 }
        if same == length { return .whole(place) }
        place += max(same, 1)
      } else {
        place += shifts[Int(byte)]
      }
    }
    // The remaining bytes are fewer than the delimiter's: only at the last carriage return can a delimiter begin.
    var cut = chunk.count - 1
    while cut >= place, chunk[cut] != 0x0D { cut -= 1 }
    guard cut >= place else { return .none }
    for index in cut..<chunk.count where chunk[index] != bytes[index - cut] { return .none }
    return .perhaps(cut)
  }
}

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
