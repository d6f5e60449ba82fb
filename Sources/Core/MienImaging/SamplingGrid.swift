/// An image position in steps of 2⁻²⁴ pixel: adding steps a few hundred times loses no relevant precision.
struct FixedPoint {
  var x: Int
  var y: Int

  static let bits = 24
  static let fractionMask = 1 << bits - 1
  static let toFraction = 1 / Float(1 << bits)

  static func from(_ value: Double) -> Int { Int((value * Double(1 << bits)).rounded()) }

  /// The integer part, rounded down.
  @inline(__always) static func whole(_ value: Int) -> Int { value &>> bits }

  /// The fractional part as an integer in 0..<2²⁴.
  @inline(__always) static func rest(_ value: Int) -> Int32 { Int32(truncatingIfNeeded: value & fractionMask) }

  /// The fractional part in 0..<1.
  @inline(__always) static func fraction(_ value: Int) -> Float { Float(rest(value)) * toFraction }
}

/// Positions of a tensor's elements in the image.
struct SamplingGrid {
  private let originX: Double
  private let originY: Double
  private let rowX: Double
  private let rowY: Double
  /// The step from one column to the next.
  let column: FixedPoint
  /// Number of rows and of columns of the tensor.
  let size: Int

  init(_ square: RotatedRect, size: Int) {
    let side = Double(square.side)
    let (cosine, sine) = (Double(square.axis.x), Double(square.axis.y))
    originX = Double(square.center.x) - (cosine - sine) * side / 2
    originY = Double(square.center.y) - (sine + cosine) * side / 2
    rowX = -sine * side / Double(size)
    rowY = cosine * side / Double(size)
    column = FixedPoint(
      x: FixedPoint.from(cosine * side / Double(size)), y: FixedPoint.from(sine * side / Double(size)))
    self.size = size
  }

  func start(ofRow row: Int) -> FixedPoint {
    FixedPoint(
      x: FixedPoint.from(originX + rowX * Double(row)), y: FixedPoint.from(originY + rowY * Double(row)))
  }

  /// Returns the columns of a row for which the pixel and its right and lower neighbors are inside the image.
  func columnsInside(from start: FixedPoint, width: Int, height: Int) -> Range<Int> {
    let inX = Self.steps(from: start.x, by: column.x, below: (width - 1) << FixedPoint.bits, of: size)
    let inY = Self.steps(from: start.y, by: column.y, below: (height - 1) << FixedPoint.bits, of: size)
    let lower = max(inX.lowerBound, inY.lowerBound)
    let upper = min(inX.upperBound, inY.upperBound)
    return lower < upper ? lower..<upper : 0..<0
  }

  /// The `i` in `0..<size` with `0 <= start + i * step < limit`.
  private static func steps(from start: Int, by step: Int, below limit: Int, of size: Int) -> Range<Int> {
    if step == 0 { return start >= 0 && start < limit ? 0..<size : 0..<0 }
    // First i at or past the near end, first i past the far end, both by division that rounds up.
    let (near, far) =
      step > 0
      ? (ceiling(-start, step), ceiling(limit - start, step))
      : (ceiling(start - limit + 1, -step), ceiling(start + 1, -step))
    let lower = min(max(near, 0), size)
    return lower..<max(lower, min(max(far, 0), size))
  }

  private static func ceiling(_ dividend: Int, _ divisor: Int) -> Int {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder > 0 ? quotient + 1 : quotient
  }
}
