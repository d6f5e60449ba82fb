import MienImaging

/// Whether a picture shows enough for checks to measure.
///
/// Checks look for signs of a copy. Where there is nothing to see there are no such signs, and a plain wall would look more genuine than
/// any photograph. Three conditions, all of luma: the picture made small and averaged over blocks of 8 × 8 samples spans at least
/// ``leastRange`` levels between its 2nd and 98th percentile; in at least ``leastBent`` of its blocks the tone bends by ``leastBend``
/// levels or more from one neighbor over the block to the other, which gradients do not; and at least ``leastTextured`` of the blocks of
/// 8 × 8 pixels at full scale are not of one tone, as areas that are drawn or clipped are. Plain, black and saturated pictures, gradients,
/// and any of these with noise fail at least one of them. A pattern that covers at least half of the picture with strong contrast inside the
/// blocks is measured without structure, too: a white screen photographed so near that its dots show. Of 108 photographs in the project's test data one fails: a dark wall.
struct ImageContent {
  private static let leastRange: Float = 24
  private static let leastBend: Float = 12
  private static let leastBent: Float = 0.01
  private static let leastTextured: Float = 0.02
  private static let strongRange: UInt8 = 48
  private static let leastStrong: Float = 0.5
  /// Samples along a side of a block.
  private static let side = 8

  let isMeasurable: Bool

  init(_ image: SampledImage) {
    isMeasurable =
      Self.share(of: image.blocks, spanning: 2) >= Self.leastTextured
      && (Self.hasStructure(image.coarse)
        || Self.share(of: image.blocks, spanning: Self.strongRange) >= Self.leastStrong)
  }

  /// - Parameter luma: one of a burst's frames.
  init(_ luma: Plane) {
    isMeasurable = Self.hasStructure(luma.reduced(by: max(1, min(luma.width, luma.height) / 256)))
  }

  /// The share of blocks whose samples are at least `range` levels apart; 0 without blocks.
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
    var bent = 0
    for row in 1..<rows - 1 {
      for column in 1..<columns - 1 {
        let place = row * columns + column
        let middle = 2 * means[place]
        let bend = max(
          abs(means[place - 1] + means[place + 1] - middle),
          abs(means[place - columns] + means[place + columns] - middle))
        if bend >= leastBend { bent += 1 }
      }
    }
    return Float(bent) >= leastBent * Float((rows - 2) * (columns - 2))
  }
}
