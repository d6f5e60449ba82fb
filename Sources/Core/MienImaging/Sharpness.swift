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
