public import MienImaging

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
