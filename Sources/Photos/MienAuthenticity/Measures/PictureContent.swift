import MienImaging

/// Determines whether an image has enough content for the checks.
///
/// The checks detect signs of a recapture. A featureless image has no such signs and would score as more genuine than
/// any photo. An image is measurable if its luma meets three conditions. (1) The downscaled image, averaged over 8 × 8
/// blocks, spans at least ``leastRange`` levels between its 2nd and 98th percentile. (2) In at least
/// ``leastCurvedShare`` of these blocks, the second difference between the block and its two neighbors is at least
/// ``leastSecondDifference`` levels, which excludes gradients. (3) At least ``leastTextured`` of the 8 × 8 pixel blocks at full scale are not of a single tone,
/// which excludes drawn and clipped areas. Plain, black and saturated images, gradients, and any of these with noise
/// fail at least one condition. A pattern that covers at least half of the image with strong contrast inside the blocks
/// is measured without (1) and (2): a white screen photographed so closely that its subpixels are visible. Of 108
/// photos in the project's test data, one fails: a dark, plain background.
struct ImageContent {
  private static let leastRange: Float = 24
  private static let leastSecondDifference: Float = 12
  private static let leastCurvedShare: Float = 0.01
  private static let leastTextured: Float = 0.02
  private static let strongRange: UInt8 = 48
  private static let leastStrong: Float = 0.5
  /// Side length of a block, in samples.
  private static let side = 8

  let isMeasurable: Bool

  init(_ image: SampledImage) {
    isMeasurable =
      Self.share(of: image.blocks, spanning: 2) >= Self.leastTextured
      && (Self.hasStructure(image.coarse)
        || Self.share(of: image.blocks, spanning: Self.strongRange) >= Self.leastStrong)
  }

  /// - Parameter luma: luma of one burst frame.
  init(_ luma: Plane) {
    isMeasurable = Self.hasStructure(luma.reduced(by: max(1, min(luma.width, luma.height) / 256)))
  }

  /// Returns the share of blocks whose samples span at least `range` levels; 0 without blocks.
  private static func share(of blocks: ContiguousArray<UInt8>, spanning range: UInt8) -> Float {
    let samples = blocks.span
    let count = samples.count / 64
    var spanning = 0
    for block in 0..<count {
      var (low, high) = (samples[64 * block], samples[64 * block])
      for index in 1..<64 {
        low = min(low, samples[64 * block + index])
        high = max(high, samples[64 * block + index])
      }
      if high - low >= range { spanning += 1 }
    }
    return count == 0 ? 0 : Float(spanning) / Float(count)
  }

  private static func hasStructure(_ coarse: Plane) -> Bool {
    let (columns, rows) = (coarse.width / side, coarse.height / side)
    guard columns >= 3, rows >= 3 else { return false }
    let samples = coarse.samples.span
    var means = [Float](repeating: 0, count: columns * rows)
    for row in 0..<rows * side {
      for column in 0..<columns * side {
        means[row / side * columns + column / side] += Float(samples[row * coarse.width + column])
      }
    }
    for index in means.indices { means[index] /= Float(side * side) }
    let sorted = means.sorted()
    let tail = sorted.count / 50
    guard sorted[sorted.count - 1 - tail] - sorted[tail] >= leastRange else { return false }
    var curvedBlocks = 0
    for row in 1..<rows - 1 {
      for column in 1..<columns - 1 {
        let place = row * columns + column
        let middle = 2 * means[place]
        let secondDifference = max(
          abs(means[place - 1] + means[place + 1] - middle),
          abs(means[place - columns] + means[place + columns] - middle))
        if secondDifference >= leastSecondDifference { curvedBlocks += 1 }
      }
    }
    return Float(curvedBlocks) >= leastCurvedShare * Float((rows - 2) * (columns - 2))
  }
}
