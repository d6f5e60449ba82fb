/// A square anywhere on a picture, in pixels, turned by any angle: what a model is shown of a face.
public struct RotatedRect: Hashable, Sendable {
  /// Centre in pixels from the top left.
  public var center: SIMD2<Float>
  /// Length of an edge in pixels.
  public var side: Float
  /// Unit vector along the square's upper edge, from left to right; (1, 0) is an upright square.
  public var axis: SIMD2<Float>

  /// A square turned by the unit vector `axis`.
  public init(center: SIMD2<Float>, side: Float, axis: SIMD2<Float> = SIMD2(1, 0)) {
    self.center = center
    self.side = side
    self.axis = axis
  }

  /// True when all values are finite, the edge is at least one pixel, the axis is a unit vector and nothing is absurdly
  /// far out.
  public var isPlausible: Bool {
    side >= 1 && side < 100_000 && abs(center.x) < 100_000 && abs(center.y) < 100_000
      && abs((axis * axis).sum() - 1) < 1e-3
  }

  /// The place on the picture of a place in the square, where (0, 0) is the square's first corner and (1, 1) the last.
  public func place(_ fraction: SIMD2<Float>) -> SIMD2<Float> {
    let own = (fraction - 0.5) * side
    return SIMD2(center.x + axis.x * own.x - axis.y * own.y, center.y + axis.y * own.x + axis.x * own.y)
  }
}
