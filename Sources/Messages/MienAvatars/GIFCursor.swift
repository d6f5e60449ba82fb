/// Sequential reader of a GIF's bytes; reading past the end returns `nil` or nothing.
struct GIFCursor {
  let bytes: ContiguousArray<UInt8>
  private(set) var place: Int

  init(_ bytes: ContiguousArray<UInt8>, at place: Int) {
    self.bytes = bytes
    self.place = place
  }

  mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads a little-endian 16-bit number.
  mutating func number() -> Int? {
    guard place + 2 <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += 2 }
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  mutating func skip(_ count: Int) { place = min(place + count, bytes.count) }

  /// Returns the range of the next bytes, or `nil` if fewer remain.
  mutating func take(_ count: Int) -> Range<Int>? {
    guard place + count <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += count }
    return place..<place + count
  }

  /// Reads data sub-blocks up to the terminator and returns their first `most` bytes.
  mutating func blocks(atMost most: Int) -> [UInt8] {
    var content: [UInt8] = []
    while let length = byte(), length > 0 {
      let end = min(place + Int(length), bytes.count)
      content += bytes[place..<min(end, place + max(0, most - content.count))]
      place = end
    }
    return content
  }

  mutating func skipBlocks() {
    while let length = byte(), length > 0 { skip(Int(length)) }
  }
}
