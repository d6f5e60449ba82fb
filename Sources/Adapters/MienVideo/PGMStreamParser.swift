internal import MienImaging

/// Splits a stream of binary PGM files (`P5`, width, height, 255, samples) into planes.
struct PGMStreamParser {
  /// Maximum side length of a plane.
  let largest: Int
  private var buffer: [UInt8] = []

  init(largest: Int) { self.largest = largest }

  mutating func append(_ bytes: [UInt8]) { buffer += bytes }

  /// Returns the next complete plane, or `nil` until more bytes are available.
  ///
  /// - Throws: ``VideoError`` for any other content.
  mutating func next() throws -> Plane? {
    // The longest valid header within the limits has 17 bytes.
    let head = buffer.prefix(20)
    let lines = head.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count == 4 else {
      if head.count == 20 { throw Self.broken }
      return nil
    }
    let sides = lines[1].split(separator: UInt8(ascii: " ")).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard lines[0].elementsEqual("P5".utf8), lines[2].elementsEqual("255".utf8), sides.count == 2,
      sides.allSatisfy({ (1...largest).contains($0) })
    else { throw Self.broken }
    let start = lines[3].startIndex
    let end = start + sides[0] * sides[1]
    guard buffer.count >= end else { return nil }
    guard let plane = Plane(width: sides[0], height: sides[1], samples: ContiguousArray(buffer[start..<end])) else {
      throw Self.broken
    }
    buffer.removeFirst(end)
    return plane
  }

  private static let broken = VideoError("ffmpeg wrote something else than pictures.")
}
