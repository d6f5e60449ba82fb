/// Reads a JPEG's quantization tables.
package enum JPEGTables {
  /// Row-major position in an 8 × 8 block of the n-th zigzag coefficient.
  static let zigzag: [Int] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61,
    54, 47, 55, 62, 63,
  ]

  /// Returns the 64 steps of table 0 in row order; `nil` if the file has none before its image data.
  package static func lumaSteps(_ bytes: [UInt8]) -> [UInt16]? {
    for segment in JPEGSegments(bytes) where segment.marker == 0xDB {
      if let steps = table(segment.content) { return steps }
    }
    return nil
  }

  /// Parses a segment of consecutive tables: precision and number, then 64 steps of one or two bytes.
  private static func table(_ segment: ArraySlice<UInt8>) -> [UInt16]? {
    var rest = segment
    while let head = rest.popFirst() {
      let size = head >> 4 == 0 ? 1 : 2
      guard rest.count >= 64 * size else { return nil }
      if head & 15 == 0 {
        var steps = [UInt16](repeating: 0, count: 64)
        for index in 0..<64 {
          let at = rest.startIndex + index * size
          steps[zigzag[index]] = size == 1 ? UInt16(rest[at]) : UInt16(rest[at]) << 8 | UInt16(rest[at + 1])
        }
        return steps
      }
      rest = rest.dropFirst(64 * size)
    }
    return nil
  }
}
