/// Packs bits, least significant first, into 32-bit words.
struct BitWriter {
  private(set) var words: ContiguousArray<UInt32> = []
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  mutating func reset() {
    words.removeAll(keepingCapacity: true)
    pending = 0
    count = 0
  }

  /// Appends the lowest `bits` bits of `value`, whose higher bits must be zero; `bits` is at most 24.
  @inline(__always) mutating func write(_ value: UInt32, _ bits: Int) {
    pending |= UInt64(value) &<< count
    count &+= UInt64(truncatingIfNeeded: bits)
    if count >= 32 {
      words.append(UInt32(truncatingIfNeeded: pending))
      pending &>>= 32
      count &-= 32
    }
  }

  /// Flushes the last, partial word.
  mutating func finish() {
    if count > 0 { words.append(UInt32(truncatingIfNeeded: pending)) }
    pending = 0
    count = 0
  }
}

/// Reads bits, least significant first, from 32-bit words.
struct BitReader {
  /// Words of the stream, followed by zeros.
  private let words: ContiguousArray<UInt32>
  /// Number of words that belong to the stream.
  private let count: Int
  private var place = 0

  /// - Parameter padding: number of zero words after the stream's `count` words, at least three.
  init(_ words: ContiguousArray<UInt32>, count: Int) {
    self.words = words
    self.count = count
  }

  /// Reads `bits` bits, at most 24.
  mutating func read(_ bits: Int) throws(DepthCodecError) -> UInt32 {
    try check()
    var at = place
    defer { place = at }
    return Self.read(words.span, bits, &at)
  }

  /// Throws if reading has passed the end of the stream into the zero padding.
  @inline(__always) func check() throws(DepthCodecError) {
    guard place &>> 5 <= count &+ 1 else { throw .cutShort }
  }

  /// Calls `body` with the arguments of ``read(_:_:_:)``, for many reads in a row.
  @inline(__always) mutating func run(_ body: (borrowing Span<UInt32>, inout Int) -> Void) {
    var at = place
    body(words.span, &at)
    place = at
  }

  /// Reads `bits` bits, at most 24, at `place`, without branching.
  @inline(__always) static func read(_ words: borrowing Span<UInt32>, _ bits: Int, _ place: inout Int) -> UInt32 {
    let first = place &>> 5
    let both = UInt64(words[first]) | UInt64(words[first &+ 1]) &<< 32
    let value = UInt32(truncatingIfNeeded: both &>> UInt64(truncatingIfNeeded: place & 31))
    place &+= bits
    return value & ((1 &<< UInt32(truncatingIfNeeded: bits)) &- 1)
  }
}
