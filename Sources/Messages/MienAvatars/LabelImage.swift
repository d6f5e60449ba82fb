/// Label resampled to its native size, ``MessageIDLabel/width`` × ``MessageIDLabel/height``; each value is the sum of four neighbors.
struct LabelImage {
  /// Pixels around the label that are included, so that characters may be slightly displaced.
  private static let border = 6
  private static let width = MessageIDLabel.width + 2 * border
  private static let height = MessageIDLabel.height + 2 * border

  private let values: ContiguousArray<Float>

  init(_ luma: LumaPlane, _ place: LabelRect) {
    let step = SIMD2(place.width / Float(MessageIDLabel.width), place.height / Float(MessageIDLabel.height))
    // In a large image one label pixel is the mean of several pixels; more than four per side do not improve the result.
    let parts = min(4, max(1, Int(max(step.x, step.y).rounded())))
    var sharp = ContiguousArray<Float>(repeating: 0, count: Self.width * Self.height)
    let columns = (0..<Self.width * parts).map { index in
      Self.between(place.x + (Float(index) + 0.5) / Float(parts) * step.x - Float(Self.border) * step.x, luma.width)
    }
    var output = sharp.mutableSpan
    let input = luma.values.span
    for row in 0..<Self.height * parts {
      let y = Self.between(
        place.y + (Float(row) + 0.5) / Float(parts) * step.y - Float(Self.border) * step.y, luma.height)
      let above = input.extracting(y.first * luma.width..<(y.first + 1) * luma.width)
      let below = input.extracting(y.second * luma.width..<(y.second + 1) * luma.width)
      let line = row / parts * Self.width
      for index in 0..<columns.count {
        let x = columns[index]
        let upper = Float(above[x.first]) * (1 - x.share) + Float(above[x.second]) * x.share
        let lower = Float(below[x.first]) * (1 - x.share) + Float(below[x.second]) * x.share
        output[line + index / parts] += upper * (1 - y.share) + lower * y.share
      }
    }
    var soft = sharp
    for row in 0..<Self.height - 1 {
      for column in 0..<Self.width - 1 {
        let place = row * Self.width + column
        soft[place] = sharp[place] + sharp[place + 1] + sharp[place + Self.width] + sharp[place + Self.width + 1]
      }
    }
    values = soft
  }

  /// Value at a label position; positions outside the included area are clamped.
  subscript(x: Int, y: Int) -> Float {
    let column = min(max(x + Self.border, 0), Self.width - 1)
    let row = min(max(y + Self.border, 0), Self.height - 1)
    return values[row * Self.width + column]
  }

  /// Returns the two pixels whose centers enclose a position, and the weight of the second.
  private static func between(_ place: Float, _ size: Int) -> (first: Int, second: Int, share: Float) {
    let inside = min(max(place - 0.5, 0), Float(size - 1))
    let first = Int(inside)
    return (first, min(first + 1, size - 1), inside - Float(first))
  }
}
