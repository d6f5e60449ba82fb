/// The transformation that makes an image upright: the values of the EXIF tag `Orientation` (1…8).
public enum Orientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  case mirroredQuarterLeft
  /// The image needs a quarter turn clockwise.
  case quarterRight
  case mirroredQuarterRight
  case quarterLeft

  /// `true` if width and height are swapped.
  public var swapsSides: Bool { rawValue >= 5 }
}

extension Frame {
  /// Writes this image into `target`, transformed by `orientation`; `target` is resized as needed.
  public func stand(upright orientation: Orientation, into target: inout Frame) {
    let (w, h) = (width, height)
    target.reshape(width: orientation.swapsSides ? h : w, height: orientation.swapsSides ? w : h)
    guard w > 0, h > 0 else { return }
    // Source index of the target's first pixel, and the index steps for one target column and one target row.
    let (origin, column, row): (Int, Int, Int) =
      switch orientation {
      case .upright: (0, 1, w)
      case .mirrored: (w - 1, -1, w)
      case .upsideDown: (w * h - 1, -1, -w)
      case .mirroredUpsideDown: (w * (h - 1), 1, -w)
      case .mirroredQuarterLeft: (0, w, 1)
      case .quarterRight: (w * (h - 1), -w, 1)
      case .mirroredQuarterRight: (w * h - 1, -w, -1)
      case .quarterLeft: (w - 1, w, -1)
      }
    let source = pixels.span
    let (targetWidth, targetHeight) = (target.width, target.height)
    target.writePixels { out in
      var index = 0
      for y in 0..<targetHeight {
        var place = origin + y * row
        for _ in 0..<targetWidth {
          out[index] = source[place]
          index += 1
          place += column
        }
      }
    }
  }
}

extension Orientation {
  /// Maps a point of the upright image to the stored image; both as fractions of width and height.
  public func beforeTurning(x: Float, y: Float) -> (x: Float, y: Float) {
    switch self {
    case .upright: (x, y)
    case .mirrored: (1 - x, y)
    case .upsideDown: (1 - x, 1 - y)
    case .mirroredUpsideDown: (x, 1 - y)
    case .mirroredQuarterLeft: (y, x)
    case .quarterRight: (y, 1 - x)
    case .mirroredQuarterRight: (1 - y, 1 - x)
    case .quarterLeft: (1 - y, x)
    }
  }
}

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
