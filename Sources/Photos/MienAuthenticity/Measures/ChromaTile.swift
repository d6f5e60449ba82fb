import MienImaging

/// A colour difference under a tile of luma, at half of luma's scale whatever the picture's subsampling.
enum ChromaTile {
  /// - Parameters:
  ///   - plane: what lies under the tile, at its own scale.
  ///   - size: the side of the tile of luma, in pixels.
  static func make(_ plane: Plane, size: Int) -> Plane {
    let half = size / 2
    // As most JPEGs have it.
    guard plane.width != half || plane.height != half else { return plane }
    // Luma pixels for each sample of the plane.
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
