/// Collects bits, lowest first, into words of 32 bits.
struct BitWriter {
  private(set) var words: ContiguousArray<UInt32> = []
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  mutating func reset() {
    words.removeAll(keepingCapacity: true)
    pending = 0
    count = 0
  }

  /// Appends the lowest `bits` bits of `value`, which has no others; `bits` is at most 24.
  @inline(__always) mutating func write(_ value: UInt32, _ bits: Int) {
    pending |= UInt64(value) &<< count
    count &+= UInt64(truncatingIfNeeded: bits)
    if count >= 32 {
      words.append(UInt32(truncatingIfNeeded: pending))
      pending &>>= 32
      count &-= 32
    }
  }

  /// Ends the last word.
  mutating func finish() {
    if count > 0 { words.append(UInt32(truncatingIfNeeded: pending)) }
    pending = 0
    count = 0
  }
}

/// Reads bits, lowest first, from words of 32 bits.
struct BitReader {
  private let words: ContiguousArray<UInt32>
  private var next = 0
  private var pending: UInt64 = 0
  private var count: UInt64 = 0

  init(_ words: ContiguousArray<UInt32>) {
    self.words = words
  }

  /// Takes `bits` bits, at most 24.
  @inline(__always) mutating func read(_ bits: Int) throws(DepthCodecFault) -> UInt32 {
    if count < 32 {
      // After the end come zeros; who reads more than 64 of them is told.
      guard next < words.count &+ 2 else { throw .cutShort }
      pending |= UInt64(next < words.count ? words[next] : 0) &<< count
      next &+= 1
      count &+= 32
    }
    let wanted = UInt64(truncatingIfNeeded: bits)
    let value = UInt32(truncatingIfNeeded: pending & ((1 &<< wanted) &- 1))
    pending &>>= wanted
    count &-= wanted
    return value
  }
}
