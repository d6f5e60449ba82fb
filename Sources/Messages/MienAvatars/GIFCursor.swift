/// Walks through a GIF's bytes; past the end there is nothing.
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

  /// Two bytes, the lower first.
  mutating func number() -> Int? {
    guard place + 2 <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += 2 }
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  mutating func skip(_ count: Int) { place = min(place + count, bytes.count) }

  /// The range of the next bytes, nil when they are not all there.
  mutating func take(_ count: Int) -> Range<Int>? {
    guard place + count <= bytes.count else {
      place = bytes.count
      return nil
    }
    defer { place += count }
    return place..<place + count
  }

  /// Blocks up to the empty one; as many of their bytes as are wanted.
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
