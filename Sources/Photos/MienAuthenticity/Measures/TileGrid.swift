import MienImaging

/// Where the tiles of a picture are: up to three by three squares, spread evenly, at full scale.
struct TileGrid: Hashable, Sendable {
  /// Side of a tile in pixels: 256, in small pictures 128 or 64.
  let size: Int
  /// Top left corners, row by row; multiples of 8, so that JPEG's blocks lie alike in all.
  let corners: [SIMD2<Int>]

  /// Sides that tiles have.
  static let sizes = [256, 128, 64]

  /// How many times as long as broad a picture may be. What is looked for along lines costs the square of the long side, and
  /// the longest panoramas of cameras stay far below.
  private static let longest = 16

  /// True of shapes that no check looks at.
  static func isTooLong(width: Int, height: Int) -> Bool { max(width, height) > longest * min(width, height) }

  /// Nil for pictures with a side below 64 pixels, and for those that are too long for their breadth.
  init?(width: Int, height: Int) {
    let short = min(width, height)
    guard !Self.isTooLong(width: width, height: height),
      let size = Self.sizes.first(where: { short >= $0 })
    else { return nil }
    self.size = size
    let rows = Self.places(in: height, size)
    corners = rows.flatMap { y in Self.places(in: width, size).map { SIMD2($0, y) } }
  }

  /// Tiles overlap by half at most; long sides lose a margin of 6 %, where frames and tables are.
  private static func places(in side: Int, _ size: Int) -> [Int] {
    let count = min(3, (side - size + size / 2 - 1) / (size / 2) + 1)
    guard count > 1 else { return [(side - size) / 2 / 8 * 8] }
    let margin = side > 4 * size ? side * 6 / 100 : 0
    let room = side - size - 2 * margin
    return (0..<count).map { (margin + room * $0 / (count - 1)) / 8 * 8 }
  }
}
