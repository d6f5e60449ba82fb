/// Reads bits from a JPEG's entropy-coded data, where a byte FF is followed by 00, or is part of a marker that ends the
/// data.
struct BitReader {
  /// The next bit is the most significant; bits beyond ``count`` are zero.
  var bits: UInt64 = 0
  /// Number of bits available.
  var count = 0
  /// Offset of the next byte to read.
  private(set) var place: Int
  /// Number of padding bits added after the end of the data.
  private(set) var missing = 0

  init(at place: Int) {
    self.place = place
  }

  /// Ensures that at least 32 bits are available, padded with zeros at the end of the data.
  @inline(__always)
  mutating func fill(_ bytes: Span<UInt8>) {
    guard count < 32 else { return }
    if place &+ 4 <= bytes.count {
      let four = bytes.extracting(place..<place &+ 4)
      let word = UInt32(four[0]) << 24 | UInt32(four[1]) << 16 | UInt32(four[2]) << 8 | UInt32(four[3])
      // No byte of the word is FF, that is, no byte of its inverse is 0.
      if (~word &- 0x0101_0101) & word & 0x8080_8080 == 0 {
        bits |= UInt64(word) &<< UInt64(truncatingIfNeeded: 32 &- count)
        count &+= 32
        place &+= 4
        return
      }
    }
    self = filledSlowly(bytes)
  }

  /// Returns a copy instead of mutating, so that a reader in a loop stays in registers.
  @inline(never)
  private func filledSlowly(_ bytes: Span<UInt8>) -> BitReader {
    var reader = self
    while reader.count <= 56 {
      guard reader.place < bytes.count else { return reader.padded }
      let byte = bytes[reader.place]
      if byte == 0xFF {
        guard reader.place + 1 < bytes.count, bytes[reader.place + 1] == 0 else { return reader.padded }
        reader.place += 1
      }
      reader.place += 1
      reader.bits |= UInt64(byte) << UInt64(56 - reader.count)
      reader.count += 8
    }
    return reader
  }

  /// A copy with 32 zero bits appended if fewer than 32 bits are available.
  private var padded: BitReader {
    guard count < 32 else { return self }
    var reader = self
    reader.count += 32
    reader.missing += 32
    return reader
  }

  /// Returns the next `number` bits, at most 63, without consuming them.
  @inline(__always)
  func next(_ number: Int) -> Int { Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- number)) }

  /// Skips a code word and the number that follows it.
  @inline(__always)
  mutating func drop(_ word: HuffmanCode.Word) {
    bits &<<= UInt64(word.length)
    count &-= Int(word.length)
  }

  /// Consumes the next code word and returns the number that follows it. A negative number is encoded as the complement
  /// of its magnitude.
  @inline(__always)
  mutating func take(_ word: HuffmanCode.Word) -> Int32 {
    let mask = Int32(1) &<< Int32(word.size) &- 1
    let raw = Int32(truncatingIfNeeded: bits &>> UInt64(64 &- word.length)) & mask
    drop(word)
    // Branch-free: the sign is essentially random, so a branch would be mispredicted half the time.
    return raw &- (mask & (raw &- ((mask &+ 1) &>> 1)) &>> 31)
  }

  /// Returns the marker's second byte if the data was read to its end and less than a byte of it is left; otherwise
  /// `nil`.
  mutating func marker(_ bytes: Span<UInt8>) -> UInt8? {
    self = filledSlowly(bytes)
    let left = count - missing
    guard (0..<8).contains(left), place + 1 < bytes.count, bytes[place] == 0xFF else { return nil }
    return bytes[place + 1]
  }

  /// Continues after the marker that ended the data.
  mutating func pass() {
    self = BitReader(at: place + 2)
  }
}
