/// Draws marks on an image that visualize what a detector or tracker measured.
public struct DebugOverlayRenderer: Sendable {
  /// The image with everything drawn so far.
  public private(set) var frame: Frame

  public init(_ frame: Frame) {
    self.frame = frame
  }

  /// Fills a disc; `center` and `radius` in pixels. The part outside the image is clipped.
  public mutating func drawDisc(at center: SIMD2<Float>, radius: Float, _ color: Pixel) {
    guard center.x.isFinite, center.y.isFinite, radius >= 0, radius < 10_000 else { return }
    guard let rows = Self.pixels(center.y - radius, center.y + radius, frame.height),
      let columns = Self.pixels(center.x - radius, center.x + radius, frame.width)
    else { return }
    for y in rows {
      for x in columns {
        let offset = SIMD2(Float(x), Float(y)) - center
        // Half a pixel larger, so that a disc of radius 0 still marks its pixel.
        if (offset * offset).sum() <= (radius + 0.5) * (radius + 0.5) { frame[x, y] = color }
      }
    }
  }

  /// Draws a straight line; `width` in pixels.
  public mutating func drawLine(
    from start: SIMD2<Float>, to end: SIMD2<Float>, width: Float = 1, _ color: Pixel
  ) {
    let way = end - start
    let length = max(abs(way.x), abs(way.y))
    guard length.isFinite, length < 100_000 else { return }
    let steps = Int(length.rounded(.up))
    for step in 0...steps {
      let part = steps == 0 ? 0 : Float(step) / Float(steps)
      // Rounded to whole pixels, so that a thin line has no gaps.
      drawDisc(at: (start + way * part).rounded(.toNearestOrEven), radius: max(0, (width - 1) / 2), color)
    }
  }

  /// Draws the outline of an upright rectangle.
  public mutating func drawRectangle(
    from first: SIMD2<Float>, to last: SIMD2<Float>, width: Float = 1, _ color: Pixel
  ) {
    let corners = [first, SIMD2(last.x, first.y), last, SIMD2(first.x, last.y)]
    for (corner, next) in zip(corners, corners[1...] + [first]) {
      drawLine(from: corner, to: next, width: width, color)
    }
  }

  private static func pixels(_ lower: Float, _ upper: Float, _ size: Int) -> ClosedRange<Int>? {
    let first = max(lower.rounded(.down), 0)
    let last = min(upper.rounded(.up), Float(size - 1))
    return first <= last ? Int(first)...Int(last) : nil
  }
}
