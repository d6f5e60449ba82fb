internal import MienScanFormat

/// A range of another byte source.
struct ByteSourceSlice: ByteSource {
  private let whole: any ByteSource
  private let range: Range<Int>

  /// - Parameter range: range within `whole`.
  init(_ whole: any ByteSource, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= whole.count)
    self.whole = whole
    self.range = range
  }

  var count: Int { range.count }

  func bytes(_ part: Range<Int>) -> [UInt8] {
    whole.bytes(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound)
  }
}
