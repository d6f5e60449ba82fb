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

extension Frame {
  /// Returns the mean absolute Laplacian of the luma in a region, 0 (flat) … 1020; `nil` if the region has no inner
  /// pixel.
  ///
  /// The region is given in pixels and may extend outside the image. |4c − n − e − s − w| of the luma (ITU-R BT.601
  /// weights) is taken at full resolution at about 48 × 48 positions. A blurred image has a small value; noise has a
  /// large one, so the measure is suitable for comparing images of the same camera.
  public func sharpness(x: Range<Float>, y: Range<Float>) -> Float? {
    guard let columns = Self.clamped(x, to: width), let rows = Self.clamped(y, to: height) else { return nil }
    let inner = (left: max(columns.lowerBound, 1), right: min(columns.upperBound, width - 1))
    let (top, bottom) = (max(rows.lowerBound, 1), min(rows.upperBound, height - 1))
    guard inner.left < inner.right, top < bottom else { return nil }
    let columnStep = max(1, (inner.right - inner.left) / 48)
    let rowStep = max(1, (bottom - top) / 48)
    let span = pixels.span
    var (sum, count) = (0, 0)
    for y in stride(from: top, to: bottom, by: rowStep) {
      let above = span.extracting((y - 1) * width..<y * width)
      let row = span.extracting(y * width..<(y + 1) * width)
      let below = span.extracting((y + 1) * width..<(y + 2) * width)
      for x in stride(from: inner.left, to: inner.right, by: columnStep) {
        let around = row[x - 1].luma + row[x + 1].luma + above[x].luma + below[x].luma
        sum += abs(4 * row[x].luma - around)
        count += 1
      }
    }
    return Float(sum) / Float(count) / 1024
  }
}

extension Pixel {
  /// Luma times 1024.
  fileprivate var luma: Int { 306 * Int(red) + 601 * Int(green) + 117 * Int(blue) }
}
