public import MienImaging

/// Positions of an image's tiles: up to three by three evenly spaced squares at full scale.
struct TileGrid: Hashable, Sendable {
  /// Side length of a tile in pixels: 256, or 128 or 64 in small images.
  let size: Int
  /// Top-left corners, row by row; multiples of 8, so that all tiles have the same alignment with JPEG blocks.
  let corners: [SIMD2<Int>]

  /// Supported tile sizes.
  static let sizes = [256, 128, 64]

  /// Maximum aspect ratio of an image. The cost of line searches grows with the square of the long side, and the
  /// longest camera panoramas are far below this ratio.
  private static let longest = 16

  /// Returns `true` for aspect ratios that no check accepts.
  static func isTooLong(width: Int, height: Int) -> Bool { max(width, height) > longest * min(width, height) }

  /// Returns nil if a side of the image is below 64 pixels, or if the image is too elongated.
  init?(width: Int, height: Int) {
    let short = min(width, height)
    guard !Self.isTooLong(width: width, height: height),
      let size = Self.sizes.first(where: { short >= $0 })
    else { return nil }
    self.size = size
    let rows = Self.places(in: height, size)
    corners = rows.flatMap { y in Self.places(in: width, size).map { SIMD2($0, y) } }
  }

  /// Returns tile positions along one side: tiles overlap by at most half, and long sides omit a margin of 6 %, which
  /// often shows frames and tables.
  private static func places(in side: Int, _ size: Int) -> [Int] {
    let count = min(3, (side - size + size / 2 - 1) / (size / 2) + 1)
    guard count > 1 else { return [(side - size) / 2 / 8 * 8] }
    let margin = side > 4 * size ? side * 6 / 100 : 0
    let capacity = side - size - 2 * margin
    return (0..<count).map { (margin + capacity * $0 / (count - 1)) / 8 * 8 }
  }
}

extension SamplingPlan {
  /// Approximate number of blocks needed to detect an earlier compression.
  private static let blocks = 6000

  /// Returns the sampling that the checks need for an image of this size.
  public static func forChecks(width: Int, height: Int) -> SamplingPlan {
    let pace = max(1, width / 8 * (height / 8) / blocks)
    guard let grid = TileGrid(width: width, height: height) else {
      // Images too small for tiles are not downscaled; elongated images are downscaled like all others to limit memory.
      return SamplingPlan(tileSize: 64, corners: [], factor: max(1, min(width, height) / 64), blockPace: pace)
    }
    // The short side of the downscaled image has at least as many samples as a tile, and less than twice as many.
    return SamplingPlan(
      tileSize: grid.size, corners: grid.corners, factor: max(1, min(width, height) / grid.size), blockPace: pace)
  }
}

extension SampledImage {
  /// Samples a whole image for the checks.
  public init(_ image: YCbCrImage) {
    self.init(image, .forChecks(width: image.width, height: image.height))
  }
}
