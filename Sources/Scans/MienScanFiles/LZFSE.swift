internal import MienScanFormat

/// Decompresses LZFSE, Apple's compression of depth in Record3D files. Any input results in the decompressed data or in
/// an error.
///
/// A stream consists of blocks with four-character markers: `bvx-` uncompressed, `bvxn` compressed with LZVN, `bvx1`
/// and `bvx2` compressed with finite-state entropy coding, `bvx$` the end. Implemented from the published description
/// and reference implementation of the format.
struct LZFSE {
  /// Reason why a stream cannot be decompressed.
  enum FormatError: Error, CustomStringConvertible {
    case cutShort, damaged, tooLarge

    var description: String {
      switch self {
      case .cutShort: "the compressed data is truncated"
      case .damaged: "the compressed data is damaged"
      case .tooLarge: "the decompressed data exceeds its limit"
      }
    }
  }

  private let bytes: [UInt8]
  private let limit: Int
  private var place = 0
  /// Remaining number of blocks with frequency tables. Building tables takes as long as decompressing thousands of
  /// bytes; an encoder starts a new block only when one is full, at 10 000 matches or 40 000 literals.
  private var tables: Int
  private(set) var output: [UInt8] = []

  /// Returns the decompressed data, at most `limit` bytes.
  static func unpack(_ bytes: [UInt8], limit: Int) throws(FormatError) -> [UInt8] {
    var stream = LZFSE(bytes, limit: limit)
    while try stream.block() {}
    return stream.output
  }

  private init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
    tables = 16 + limit / 4096
  }

  /// Decompresses one block; returns `false` at the end of the stream.
  private mutating func block() throws(FormatError) -> Bool {
    let magic = try word32(place)
    guard magic != 0x2478_7662 else { return false }
    let size = try word32(place + 4)
    guard size <= limit - output.count else { throw .tooLarge }
    let end = output.count + size
    switch magic {
    case 0x2D78_7662:
      guard bytes.count - place - 8 >= size else { throw .cutShort }
      output += bytes[place + 8..<place + 8 + size]
      place += 8 + size
    case 0x6E78_7662:
      let packed = try word32(place + 8)
      guard bytes.count - place - 12 >= packed else { throw .cutShort }
      var lzvn = LZVN(bytes[place + 12..<place + 12 + packed])
      try lzvn.unpack(into: &output, until: end)
      place += 12 + packed
    case 0x3178_7662, 0x3278_7662:
      guard tables > 0 else { throw .damaged }
      tables -= 1
      let block = try LZFSEBlockDecoder(bytes, at: place, short: magic == 0x3278_7662, size: size)
      try block.unpack(bytes, into: &output, until: end)
      place = block.end
    default: throw .damaged
    }
    guard output.count == end else { throw .damaged }
    return true
  }

  private func word32(_ place: Int) throws(FormatError) -> Int {
    guard bytes.count - place >= 4 else { throw .cutShort }
    return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) }
  }

  /// Repeats `count` bytes starting `distance` bytes before the end.
  static func copy(_ count: Int, from distance: Int, in output: inout [UInt8], until end: Int) throws(FormatError) {
    guard count > 0 else { return }
    guard distance > 0, distance <= output.count, count <= end - output.count else { throw .damaged }
    for _ in 0..<count { output.append(output[output.count - distance]) }
  }
}

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
