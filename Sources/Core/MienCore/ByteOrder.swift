extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the little-endian number at an index.
  @inlinable
  package func littleEndian<Number: FixedWidthInteger>(at place: Int, as type: Number.Type = Number.self) -> Number {
    var number: Number = 0
    for offset in 0..<Number.bitWidth / 8 {
      number |= Number(truncatingIfNeeded: self[place + offset]) << Number(truncatingIfNeeded: 8 * offset)
    }
    return number
  }

  /// Returns the big-endian number at an index.
  @inlinable
  package func bigEndian<Number: FixedWidthInteger>(at place: Int, as type: Number.Type = Number.self) -> Number {
    littleEndian(at: place, as: type).byteSwapped
  }
}

extension RangeReplaceableCollection<UInt8> {
  @inlinable
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  @inlinable
  package mutating func append(bigEndian number: some FixedWidthInteger) { append(littleEndian: number.byteSwapped) }
}
