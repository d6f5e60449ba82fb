/// Reads little-endian numbers from bytes, with bounds checks.
struct LittleEndianReader {
  private let bytes: ArraySlice<UInt8>
  private(set) var place: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  var left: Int { bytes.endIndex - place }

  mutating func byte() throws(DepthCodecError) -> UInt8 {
    guard place < bytes.endIndex else { throw .cutShort }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads a variable-length number with 7 bits per byte, least significant first; at most 2³¹−1.
  mutating func variable() throws(DepthCodecError) -> Int {
    var value = 0
    for shift in stride(from: 0, through: 28, by: 7) {
      let next = try byte()
      value |= Int(next & 0x7F) << shift
      if next < 0x80 {
        guard value <= Int(Int32.max) else { throw .damaged("a length") }
        return value
      }
    }
    throw .damaged("a length")
  }

  mutating func word32() throws(DepthCodecError) -> UInt32 {
    guard left >= 4 else { throw .cutShort }
    defer { place += 4 }
    return UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }

  mutating func take(_ count: Int) throws(DepthCodecError) -> ArraySlice<UInt8> {
    guard count >= 0, left >= count else { throw .cutShort }
    defer { place += count }
    return bytes[place..<place + count]
  }
}

extension [UInt8] {
  /// Appends a variable-length number with 7 bits per byte, least significant first.
  mutating func appendVariable(_ value: Int) {
    var rest = UInt(bitPattern: value)
    while rest >= 0x80 {
      append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  mutating func appendLittle(_ value: UInt32) {
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: value >> UInt32(shift))) }
  }
}
