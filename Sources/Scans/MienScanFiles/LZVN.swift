/// Decompresses an LZVN block: literals and matches with codes of one to three bytes.
struct LZVN {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  private var distance = 0

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    place = bytes.startIndex
  }

  /// Appends to `output` until the block's end code, which must occur when the output has `end` bytes.
  mutating func unpack(into output: inout [UInt8], until end: Int) throws(LZFSE.FormatError) {
    while true {
      let code = Int(try next())
      switch code {
      case 0x06: return
      case 0x0E, 0x16: continue
      case 0xE0: try literals(Int(try next()) + 16, &output, end)
      case 0xE1...0xEF: try literals(code & 15, &output, end)
      case 0xF0: try LZFSE.copy(Int(try next()) + 16, from: distance, in: &output, until: end)
      case 0xF1...0xFF: try LZFSE.copy(code & 15, from: distance, in: &output, until: end)
      case 0xA0...0xBF:
        let low = Int(try next())
        distance = low >> 2 | Int(try next()) << 6
        try literals(code >> 3 & 3, &output, end)
        try LZFSE.copy((code & 7) << 2 | low & 3 + 3, from: distance, in: &output, until: end)
      case 0x70...0x7F, 0xD0...0xDF, 0x1E, 0x26, 0x2E, 0x36, 0x3E: throw .damaged
      default:
        if code & 7 == 7 {
          distance = Int(try next())
          distance |= Int(try next()) << 8
        } else if code & 7 != 6 {
          distance = (code & 7) << 8 | Int(try next())
        }
        try literals(code >> 6, &output, end)
        try LZFSE.copy(code >> 3 & 7 + 3, from: distance, in: &output, until: end)
      }
    }
  }

  private mutating func next() throws(LZFSE.FormatError) -> UInt8 {
    guard place < bytes.endIndex else { throw .cutShort }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func literals(_ count: Int, _ output: inout [UInt8], _ end: Int) throws(LZFSE.FormatError) {
    guard count <= bytes.endIndex - place else { throw .cutShort }
    guard count <= end - output.count else { throw .damaged }
    output += bytes[place..<place + count]
    place += count
  }
}
