/// A rotated square in an image, in pixels: the region of a face that is passed to a model.
public struct RotatedRect: Hashable, Sendable {
  /// Center in pixels from the top left.
  public var center: SIMD2<Float>
  /// Length of an edge in pixels.
  public var side: Float
  /// Unit vector along the square's upper edge, from left to right; (1, 0) is an upright square.
  public var axis: SIMD2<Float>

  /// Creates a square whose upper edge points along the unit vector `axis`.
  public init(center: SIMD2<Float>, side: Float, axis: SIMD2<Float> = SIMD2(1, 0)) {
    self.center = center
    self.side = side
    self.axis = axis
  }

  /// `true` if all values are finite, the edge is at least one pixel long, the axis is a unit vector and no value is
  /// 100,000 pixels or more.
  public var isPlausible: Bool {
    side >= 1 && side < 100_000 && abs(center.x) < 100_000 && abs(center.y) < 100_000
      && abs((axis * axis).sum() - 1) < 1e-3
  }

  /// Maps a position in the square, where (0, 0) is its first corner and (1, 1) its last, to the image.
  public func place(_ fraction: SIMD2<Float>) -> SIMD2<Float> {
    let own = (fraction - 0.5) * side
    return SIMD2(center.x + axis.x * own.x - axis.y * own.y, center.y + axis.y * own.x + axis.x * own.y)
  }
}
