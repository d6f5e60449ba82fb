/// Checksum of ZIP and PNG: polynomial 0xEDB88320, reflected, inverted before and after.
package struct CRC32: Sendable {
  private var state: UInt32 = .max

  package init() {}

  /// Checksum of the bytes added so far.
  package var value: UInt32 { ~state }

  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum = CRC32()
    sum.add(bytes)
    return sum.value
  }

  package mutating func add(_ bytes: ArraySlice<UInt8>) {
    let tables = Self.table
    let table = tables.span
    var state = state
    var place = bytes.startIndex
    // Processes eight bytes at a time, each with its own table ("slicing by 8").
    while bytes.endIndex - place >= 8 {
      let low =
        state
        ^ (UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
          | UInt32(bytes[place + 3]) << 24)
      var next = table[1792 + Int(low & 255)] ^ table[1536 + Int(low >> 8 & 255)]
      next ^= table[1280 + Int(low >> 16 & 255)] ^ table[1024 + Int(low >> 24)]
      next ^= table[768 + Int(bytes[place + 4])] ^ table[512 + Int(bytes[place + 5])]
      next ^= table[256 + Int(bytes[place + 6])] ^ table[Int(bytes[place + 7])]
      state = next
      place += 8
    }
    while place < bytes.endIndex {
      state = table[Int((state ^ UInt32(bytes[place])) & 255)] ^ state >> 8
      place += 1
    }
    self.state = state
  }

  private static let table: ContiguousArray<UInt32> = {
    var table = ContiguousArray<UInt32>(repeating: 0, count: 2048)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
      table[byte] = value
    }
    for place in 256..<2048 {
      let before = table[place - 256]
      table[place] = before >> 8 ^ table[Int(before & 255)]
    }
    return table
  }()
}
