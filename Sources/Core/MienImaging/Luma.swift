extension Frame {
  /// Returns the mean luma (ITU-R BT.601 weights) of a region, 0 (black) … 255; `nil` if the region contains no pixel.
  ///
  /// The region is given in pixels and may extend outside the image. Large regions are sampled on a grid of about 64 ×
  /// 64 pixels, which is sufficient for a mean.
  public func meanLuma(x: Range<Float>, y: Range<Float>) -> Float? {
    guard let columns = Self.clamped(x, to: width), let rows = Self.clamped(y, to: height) else { return nil }
    let columnStep = max(1, columns.count / 64)
    let rowStep = max(1, rows.count / 64)
    let span = pixels.span
    var (red, green, blue, count): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    for y in stride(from: rows.lowerBound, to: rows.upperBound, by: rowStep) {
      let row = span.extracting(y * width..<(y + 1) * width)
      for x in stride(from: columns.lowerBound, to: columns.upperBound, by: columnStep) {
        let pixel = row[x]
        red += UInt32(pixel.red)
        green += UInt32(pixel.green)
        blue += UInt32(pixel.blue)
        count += 1
      }
    }
    let total = 0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)
    return total / Float(count)
  }

  /// Mean luma of the whole image; `nil` if it is empty.
  public var meanLuma: Float? { meanLuma(x: 0..<Float(max(width, 1)), y: 0..<Float(max(height, 1))) }

  static func clamped(_ range: Range<Float>, to size: Int) -> Range<Int>? {
    guard range.lowerBound.isFinite, range.upperBound.isFinite else { return nil }
    let lower = Int(min(max(range.lowerBound, 0), Float(size)))
    let upper = Int(min(max(range.upperBound.rounded(.up), 0), Float(size)))
    return lower < upper ? lower..<upper : nil
  }
}
