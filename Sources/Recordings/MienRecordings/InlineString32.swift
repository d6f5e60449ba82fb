/// A short text of up to 32 bytes in four words: comparisons are integer comparisons, and nothing is allocated.
///
/// A longer text retains its first 32 bytes and its length, so it never equals a key of a format.
struct InlineString32: Hashable, Sendable {
  private var words = SIMD4<UInt64>(repeating: 0)
  private(set) var count = 0

  init() {}

  init(_ text: some StringProtocol) {
    for byte in text.utf8 { append(byte) }
  }

  /// Packs the bytes in `range`; the caller ensures that they are plain characters.
  @inline(__always)
  init(_ text: Span<UInt8>, _ range: Range<Int>) {
    var word: UInt64 = 0
    var shift: UInt64 = 0
    var lane = 0
    for at in range {
      word |= UInt64(text[at]) &<< shift
      shift &+= 8
      if shift == 64 {
        if lane < 4 { words[lane] = word }
        lane += 1
        word = 0
        shift = 0
      }
    }
    if shift != 0, lane < 4 { words[lane] = word }
    count = range.count
  }

  mutating func append(_ byte: UInt8) {
    if count < 32 { words[count >> 3] |= UInt64(byte) &<< UInt64((count & 7) * 8) }
    count += 1
  }

  /// A small hash for ``CoefficientTable``.
  @inline(__always)
  var slot: Int {
    let mixed = (words[0] ^ (words[1] &* 0x9E37_79B9_7F4A_7C15) ^ (words[2] &* 0xC2B2_AE3D_27D4_EB4F) ^ words[3])
    return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 56)
  }
}
