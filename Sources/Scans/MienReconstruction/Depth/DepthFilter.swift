/// Criteria for depth samples to be used.
public struct DepthFilter: Hashable, Sendable {
  /// Accepted distances, in meters.
  public var range: ClosedRange<Float>
  /// Minimum confidence of accepted samples (0 low, 1 medium, 2 high); maps without confidence are accepted completely.
  /// Reconstruction lowers this for a map in which less than a tenth of the samples has this confidence.
  public var leastConfidence: UInt8
  /// Maximum difference to a neighbor's distance, as a fraction of the sample's own. At larger steps, a sensor mixes
  /// two surfaces and reports points in the air between them ("flying pixels").
  public var largestStep: Float
  /// Maximum number of the eight neighbors that may be missing or exceed ``largestStep`` before a sample is removed.
  public var outliersAllowed: Int

  public init(
    range: ClosedRange<Float> = 0.1...5, leastConfidence: UInt8 = 2, largestStep: Float = 0.03,
    strangersAllowed: Int = 2
  ) {
    self.range = range
    self.leastConfidence = leastConfidence
    self.largestStep = largestStep
    self.outliersAllowed = strangersAllowed
  }
}

extension DepthMap {
  /// Removes samples at depth edges and isolated samples: those with too many missing or distant neighbors.
  ///
  /// - Returns: the number of samples removed.
  @discardableResult
  public mutating func dropEdges(_ filter: DepthFilter) -> Int {
    guard width >= 3, height >= 3 else { return 0 }
    let source = meters
    let width = width
    var dropped = 0
    for y in 0..<height {
      for x in 0..<width {
        let index = y * width + x
        let distance = source[index]
        guard distance > 0 else { continue }
        guard y > 0, y < height - 1, x > 0, x < width - 1 else {
          // Samples at the sensor's border lack neighbors to compare with.
          meters[index] = 0
          dropped += 1
          continue
        }
        let step = distance * filter.largestStep
        let neighbors = SIMD8(
          source[index - 1], source[index + 1], source[index - width], source[index + width],
          source[index - width - 1], source[index - width + 1], source[index + width - 1], source[index + width + 1])
        let jump = neighbors - distance
        let far = SIMD8<Int32>.zero.replacing(with: 1, where: jump * jump .> step * step)
        let outliers = Int(far.wrappedSum())
        if outliers > filter.outliersAllowed {
          meters[index] = 0
          dropped += 1
        }
      }
    }
    return dropped
  }
}
