/// Encodes simple PNG images with uncompressed data.
enum PNGWriter {
  /// - Parameters:
  ///   - colorType: 0 gray, 2 RGB, 6 RGBA.
  ///   - rows: bytes of each row, without the filter byte.
  ///   - extra: chunks between header and data.
  static func png(
    width: Int, height: Int, bitDepth: UInt8, colorType: UInt8, rows: [[UInt8]], extra: [(String, [UInt8])] = []
  ) -> [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += chunk("IHDR", number(width) + number(height) + [bitDepth, colorType, 0, 0, 0])
    for (name, content) in extra { file += chunk(name, content) }
    let raw: [UInt8] = rows.flatMap { row -> [UInt8] in [0] + row }
    precondition(raw.count < 65_536)
    let (low, high) = (UInt8(raw.count & 255), UInt8(raw.count >> 8))
    file += chunk("IDAT", [0x78, 0x01, 1, low, high, ~low, ~high] + raw + number(adler(raw)))
    return file + chunk("IEND", [])
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return number(content.count) + body + number(Int(checksum(body)))
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func adler(_ bytes: [UInt8]) -> Int {
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 0 ? 0 : 0xEDB8_8320) }
    }
  }
}
