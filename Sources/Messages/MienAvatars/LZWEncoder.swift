/// Encoder of palette indices as GIF image data (GIF89a, appendix F): variable-length LZW in sub-blocks of at most 255 bytes.
struct LZWEncoder {
  private static let tableSize = 1 << 14
  private static let noCode: UInt32 = .max

  /// Slot → prefix code (12 bits), index (8), and code (12); ``noCode`` if empty.
  private var table = ContiguousArray(repeating: noCode, count: tableSize)

  /// Appends the image data: minimum code size, sub-blocks, terminator.
  ///
  /// - Parameter bits: Bits per index, 2…8; every index is below 1 << `bits`.
  mutating func encode(
    _ indices: ContiguousArray<UInt8>, bits: Int, likes: SimilarColorTable? = nil, into output: inout [UInt8]
  ) {
    let clear: UInt32 = 1 << UInt32(bits)
    var packer = GIFSubBlockWriter()
    output.append(UInt8(bits))
    var next = clear + 2
    var codeBits = UInt32(bits + 1)
    var table = table.mutableSpan
    for slot in 0..<table.count { table[slot] = Self.noCode }
    packer.put(clear, codeBits, into: &output)
    guard var prefix = indices.first.map({ UInt32($0) }) else {
      packer.put(clear + 1, codeBits, into: &output)
      packer.finish(into: &output)
      return
    }
    let span = indices.span
    // Read for every code, so reference counting and copies are avoided in the loop.
    let (places, counts) = (likes?.places ?? [], likes?.counts ?? [])
    let (likePlaces, likeCounts) = (places.span, counts.span)
    for position in 1..<span.count {
      let index = UInt32(span[position])
      let (slot, code) = Self.find(prefix << 8 | index, in: table)
      var found = code
      if found == Self.noCode, Int(index) < likeCounts.count {
        // Substitutes a nearly identical color if it continues the run.
        let first = Int(index) * SimilarColorTable.most
        for place in first..<first + Int(likeCounts[Int(index)]) {
          let (_, code) = Self.find(prefix << 8 | UInt32(likePlaces[place]), in: table)
          if code != Self.noCode {
            found = code
            break
          }
        }
      }
      if found != Self.noCode {
        prefix = found
        continue
      }
      packer.put(prefix, codeBits, into: &output)
      if next < 4096 {
        table[slot] = (prefix << 8 | index) << 12 | next
        // The decoder is one code behind, so the width grows after the code that needs it.
        if next == 1 << codeBits { codeBits += 1 }
        next += 1
      } else {
        packer.put(clear, codeBits, into: &output)
        for slot in 0..<table.count { table[slot] = Self.noCode }
        next = clear + 2
        codeBits = UInt32(bits + 1)
      }
      prefix = index
    }
    packer.put(prefix, codeBits, into: &output)
    // The code written last may have extended the decoder's table by one entry.
    if next == 1 << codeBits, codeBits < 12 { codeBits += 1 }
    packer.put(clear + 1, codeBits, into: &output)
    packer.finish(into: &output)
  }

  /// Returns the slot of a key, either free or already containing the key, and its code.
  @inline(__always)
  private static func find(_ key: UInt32, in table: borrowing MutableSpan<UInt32>) -> (slot: Int, code: UInt32) {
    var slot = Int((key &* 0x9E37_79B1) >> 18)
    while table[slot] != noCode {
      if table[slot] >> 12 == key { return (slot, table[slot] & 0xFFF) }
      slot = (slot + 1) & (tableSize - 1)
    }
    return (slot, noCode)
  }
}

/// Packs codes into bits, least significant first, and the bits into length-prefixed sub-blocks.
private struct GIFSubBlockWriter {
  private var bits: UInt32 = 0
  private var count: UInt32 = 0
  /// Position of the length byte of the open sub-block; `nil` before the first one.
  private var lengthPlace: Int?

  mutating func put(_ code: UInt32, _ width: UInt32, into output: inout [UInt8]) {
    bits |= code << count
    count += width
    while count >= 8 {
      byte(UInt8(truncatingIfNeeded: bits), into: &output)
      bits >>= 8
      count -= 8
    }
  }

  mutating func finish(into output: inout [UInt8]) {
    if count > 0 { byte(UInt8(truncatingIfNeeded: bits), into: &output) }
    output.append(0)
  }

  private mutating func byte(_ byte: UInt8, into output: inout [UInt8]) {
    if let place = lengthPlace, output[place] < 255 {
      output[place] += 1
    } else {
      lengthPlace = output.count
      output.append(1)
    }
    output.append(byte)
  }
}
