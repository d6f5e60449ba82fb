import MienImaging

/// A colour difference under a tile of luma, at half of luma's scale whatever the picture's subsampling.
enum HalfTile {
  /// Nil when the plane does not reach over the tile, which only a picture put together by hand can do.
  static func make(_ plane: Plane, of picture: PlanarPicture, corner: SIMD2<Int>, size: Int) -> Plane? {
    let half = size / 2
    // Luma pixels for each sample of the plane, 1, 2 or 4 in JPEGs.
    let across = max(1, Int((Float(picture.width) / Float(plane.width)).rounded()))
    let down = max(1, Int((Float(picture.height) / Float(plane.height)).rounded()))
    guard (corner.x + size - 1) / across < plane.width, (corner.y + size - 1) / down < plane.height else { return nil }
    var tile = Plane()
    tile.reshape(width: half, height: half)
    let source = plane.samples.span
    tile.writeSamples { target in
      for row in 0..<half {
        let y = corner.y + 2 * row
        let (top, bottom) = (y / down * plane.width, (y + 1) / down * plane.width)
        for column in 0..<half {
          let x = corner.x + 2 * column
          let (left, right) = (x / across, (x + 1) / across)
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
