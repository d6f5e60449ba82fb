import MienImaging

/// Color-difference plane of a luma tile, at half the luma resolution whatever the image's chroma subsampling.
enum ChromaTile {
  /// - Parameters:
  ///   - plane: color-difference samples of the tile, at their own resolution.
  ///   - size: side length of the luma tile, in pixels.
  static func make(_ plane: Plane, size: Int) -> Plane {
    let half = size / 2
    // The layout of most JPEGs.
    guard plane.width != half || plane.height != half else { return plane }
    // Luma pixels per sample of the plane.
    let (across, down) = (size / plane.width, size / plane.height)
    var tile = Plane()
    tile.reshape(width: half, height: half)
    let source = plane.samples.span
    tile.writeSamples { target in
      for row in 0..<half {
        let (top, bottom) = (2 * row / down * plane.width, (2 * row + 1) / down * plane.width)
        for column in 0..<half {
          let (left, right) = (2 * column / across, (2 * column + 1) / across)
          let sum =
            UInt32(source[top + left]) + UInt32(source[top + right]) + UInt32(source[bottom + left])
            + UInt32(source[bottom + right])
          target[row * half + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
        }
      }
    }
    return tile
  }
}
