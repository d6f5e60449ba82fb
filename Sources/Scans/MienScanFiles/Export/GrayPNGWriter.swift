internal import MienScanFormat
internal import MienArchive
internal import MienCompression

/// Writes grayscale PNGs with 8 or 16 bits per sample (ISO/IEC 15948), compressed with zlib.
enum GrayPNGWriter {
  static func depth(_ samples: [UInt16], width: Int) -> [UInt8] {
    file(samples.count, width: width, bits: 16) { row, bytes in
      // Each sample minus its left neighbor, byte by byte (filter 1), because adjacent distances differ little.
      var left: UInt16 = 0
      for sample in samples[row] {
        bytes.append(UInt8(truncatingIfNeeded: sample >> 8) &- UInt8(truncatingIfNeeded: left >> 8))
        bytes.append(UInt8(truncatingIfNeeded: sample) &- UInt8(truncatingIfNeeded: left))
        left = sample
      }
    }
  }

  static func levels(_ samples: [UInt8], width: Int) -> [UInt8] {
    file(samples.count, width: width, bits: 8) { row, bytes in
      var left: UInt8 = 0
      for sample in samples[row] {
        bytes.append(sample &- left)
        left = sample
      }
    }
  }

  private static func file(
    _ count: Int, width: Int, bits: UInt8, _ filtered: (Range<Int>, inout [UInt8]) -> Void
  ) -> [UInt8] {
    let height = count / width
    var rows: [UInt8] = []
    rows.reserveCapacity(height + count * Int(bits) / 8)
    for row in 0..<height {
      rows.append(1)
      filtered(row * width..<(row + 1) * width, &rows)
    }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    chunk("IHDR", big(width) + big(height) + [bits, 0, 0, 0, 0], &file)
    chunk("IDAT", Deflate.wrapped(rows), &file)
    chunk("IEND", [], &file)
    return file
  }

  private static func chunk(_ name: String, _ content: [UInt8], _ file: inout [UInt8]) {
    file += big(content.count)
    let body = Array(name.utf8) + content
    file += body
    file += big(Int(CRC32.of(body[...])))
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
