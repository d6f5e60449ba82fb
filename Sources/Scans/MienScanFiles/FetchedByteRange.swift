internal import MienScanFormat

/// Fetched range of a scan's bytes; bytes outside it are treated as unreadable.
struct FetchedByteRange: ByteSource {
  static let nothing = FetchedByteRange([], at: 0, of: 0)

  /// Size of the whole scan in bytes.
  let count: Int
  private let start: Int
  private let part: [UInt8]

  init(_ part: [UInt8], at start: Int, of count: Int) {
    self.count = count
    self.start = start
    self.part = part
  }

  func holds(_ range: Range<Int>) -> Bool { range.lowerBound >= start && range.upperBound - start <= part.count }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    guard range.lowerBound >= start, range.lowerBound - start < part.count else { return [] }
    return Array(part[range.lowerBound - start..<min(range.upperBound - start, part.count)])
  }
}
