/// Decoder of GIF image data (GIF89a, appendix F). The input is untrusted: every index is checked.
struct LZWDecoder {
  private static let most = 4096

  private var prefix = ContiguousArray<UInt16>(repeating: 0, count: most)
  private var suffix = ContiguousArray<UInt8>(repeating: 0, count: most)
  private var length = ContiguousArray<UInt16>(repeating: 0, count: most)
  private var first = ContiguousArray<UInt8>(repeating: 0, count: most)

  /// Decodes up to `count` indices; returns fewer if the data ends early, and ignores any excess.
  ///
  /// - Throws: ``AvatarError`` with `corrupt` for an undefined code or an invalid code size.
  mutating func decode(
    _ bytes: ContiguousArray<UInt8>, _ data: Range<Int>, bits: Int, count: Int
  ) throws(AvatarError) -> ContiguousArray<UInt8> {
    guard (1...11).contains(bits) else { throw AvatarError(.corrupt, "codes of \(bits) bits") }
    let clear = 1 << bits
    for code in 0..<min(clear, 256) {
      suffix[code] = UInt8(code)
      first[code] = UInt8(code)
      length[code] = 1
    }
    var output = ContiguousArray<UInt8>()
    // Reserves at most what the data can contain, regardless of the claimed image size.
    output.reserveCapacity(min(count, data.count * 4096))
    var stream = GIFSubBlockReader(data)
    var width = bits + 1
    var next = clear + 2
    var last: Int?
    while output.count < count, let code = stream.take(width, bytes) {
      if code == clear {
        width = bits + 1
        next = clear + 2
        last = nil
        continue
      }
      if code == clear + 1 { break }
      guard let before = last else {
        guard code < clear, code < 256 else { throw AvatarError(.corrupt, "a code before its definition") }
        output.append(UInt8(code))
        last = code
        continue
      }
      guard code < next && (code < 256 || code > clear) || code == next && next < Self.most else {
        throw AvatarError(.corrupt, "a code before its definition")
      }
      if next < Self.most {
        prefix[next] = UInt16(before)
        first[next] = first[before]
        suffix[next] = code == next ? first[before] : first[code]
        length[next] = length[before] &+ 1
        next += 1
        if next == 1 << width, width < 12 { width += 1 }
      }
      append(code, to: &output, most: count)
      last = code
    }
    return output
  }

  /// Appends the indices of a code, from the last to the first.
  private func append(_ code: Int, to output: inout ContiguousArray<UInt8>, most: Int) {
    let count = Int(length[code])
    let start = output.count
    output.append(contentsOf: repeatElement(0, count: count))
    var code = code
    for place in stride(from: start + count - 1, through: start, by: -1) {
      output[place] = suffix[code]
      code = Int(prefix[code])
    }
    if output.count > most { output.removeLast(output.count - most) }
  }
}

/// Reads LZW codes from length-prefixed sub-blocks.
private struct GIFSubBlockReader {
  private var place: Int
  private let end: Int
  private var left = 0
  private var bits: UInt32 = 0
  private var count = 0

  init(_ data: Range<Int>) {
    place = data.lowerBound
    end = data.upperBound
  }

  /// Returns the next code, or `nil` at the end of the data.
  mutating func take(_ width: Int, _ bytes: ContiguousArray<UInt8>) -> Int? {
    while count < width {
      if left == 0 {
        guard place < end, bytes[place] > 0 else { return nil }
        left = Int(bytes[place])
        place += 1
      }
      guard place < end else { return nil }
      bits |= UInt32(bytes[place]) << UInt32(count)
      count += 8
      place += 1
      left -= 1
    }
    let code = Int(bits & ((1 << UInt32(width)) - 1))
    bits >>= UInt32(width)
    count -= width
    return code
  }
}
