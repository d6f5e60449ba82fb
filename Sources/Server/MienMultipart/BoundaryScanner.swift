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
