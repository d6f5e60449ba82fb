/// What stands between two parts, `CR LF "--" boundary`, and how it is found.
///
/// Its carriage return is the only one in it, so whatever was compared in vain need not be looked at again: the search takes
/// time in proportion to the bytes whatever a stranger sends, and looks at one byte of each 40 or so in a photograph
/// (Horspool 1980, with the comparison from the front).
struct BoundaryScanner: Hashable {
  let bytes: ContiguousArray<UInt8>
  /// By a byte at the delimiter's last place: how far the delimiter may be moved on.
  private let shifts: ContiguousArray<Int>

  init(_ boundary: MultipartBoundary) {
    bytes = ContiguousArray([0x0D, 0x0A, 0x2D, 0x2D] + boundary.bytes)
    var shifts = ContiguousArray(repeating: bytes.count, count: 256)
    for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
    self.shifts = shifts
  }

  enum Found: Equatable {
    /// It begins here, whole.
    case whole(Int)
    /// It may begin here, where the chunk ends before it would.
    case perhaps(Int)
    case none
  }

  /// Looks for the first one at or after `start`.
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
    // The rest is shorter than the delimiter: only its last carriage return can be the beginning of one.
    var cut = chunk.count - 1
    while cut >= place, chunk[cut] != 0x0D { cut -= 1 }
    guard cut >= place else { return .none }
    for index in cut..<chunk.count where chunk[index] != bytes[index - cut] { return .none }
    return .perhaps(cut)
  }
}
