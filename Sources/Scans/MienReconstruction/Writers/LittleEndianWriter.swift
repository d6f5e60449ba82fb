/// Writes little-endian values to a byte buffer.
struct LittleEndianWriter {
  private(set) var bytes: ContiguousArray<UInt8> = []

  mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
  mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
  mutating func put(_ more: ContiguousArray<UInt8>) { bytes.append(contentsOf: more) }
  mutating func put(_ byte: UInt8) { bytes.append(byte) }
  mutating func put(_ number: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: number))
    bytes.append(UInt8(truncatingIfNeeded: number >> 8))
  }
  mutating func put(_ number: UInt32) {
    put(UInt16(truncatingIfNeeded: number))
    put(UInt16(truncatingIfNeeded: number >> 16))
  }
  mutating func put(_ number: Float) { put(number.bitPattern) }
  mutating func put(_ vector: SIMD3<Float>) {
    put(vector.x)
    put(vector.y)
    put(vector.z)
  }

  /// Appends bytes until the size is a multiple of `alignment`.
  mutating func pad(to alignment: Int, with byte: UInt8) {
    while bytes.count % alignment != 0 { bytes.append(byte) }
  }
}
