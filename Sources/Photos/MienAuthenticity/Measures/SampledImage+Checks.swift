public import MienImaging

extension SamplingPlan {
  /// About how many blocks tell of an earlier compression.
  private static let blocks = 6000

  /// What the checks look at in a picture of this size.
  public static func forChecks(width: Int, height: Int) -> SamplingPlan {
    let pace = max(1, width / 8 * (height / 8) / blocks)
    guard let grid = TileGrid(width: width, height: height) else {
      // What is too small for tiles stays as it is; what is too long is made small as others are, so that none is kept whole.
      return SamplingPlan(tileSize: 64, corners: [], factor: max(1, min(width, height) / 64), blockPace: pace)
    }
    // The short side of the picture made small gets as many samples as a tile has, and less than twice as many.
    return SamplingPlan(
      tileSize: grid.size, corners: grid.corners, factor: max(1, min(width, height) / grid.size), blockPace: pace)
  }
}

extension SampledImage {
  /// Takes from a whole picture what the checks look at.
  public init(_ image: YCbCrImage) {
    self.init(image, .forChecks(width: image.width, height: image.height))
  }
}
