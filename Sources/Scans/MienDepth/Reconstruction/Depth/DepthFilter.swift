/// What of a depth map is worth keeping.
public struct DepthFilter: Hashable, Sendable {
  /// Distances that are kept, in metres.
  public var range: ClosedRange<Float>
  /// Least confidence of a sample that is kept (0 low, 1 medium, 2 high); maps without confidence are kept whole. A
  /// reconstruction asks for less of a map where less than a tenth of it is so sure.
  public var leastConfidence: UInt8
  /// A sample is an edge when a neighbour's distance differs by more than this fraction of its own: there a sensor
  /// mixes two surfaces and reports points in the air between them ("flying pixels").
  public var largestStep: Float
  /// How many of the eight neighbours may lie beyond ``largestStep`` or be missing before a sample is dropped.
  public var strangersAllowed: Int

  public init(
    range: ClosedRange<Float> = 0.1...5, leastConfidence: UInt8 = 2, largestStep: Float = 0.03,
    strangersAllowed: Int = 2
  ) {
    self.range = range
    self.leastConfidence = leastConfidence
    self.largestStep = largestStep
    self.strangersAllowed = strangersAllowed
  }
}

extension DepthMap {
  /// Drops samples at edges of depth and specks: those with too many neighbours that are missing or far off.
  ///
  /// - Returns: how many samples were dropped.
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
          // The sensor's rim has no neighbours to be judged by.
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
        let strangers = Int(far.wrappedSum())
        if strangers > filter.strangersAllowed {
          meters[index] = 0
          dropped += 1
        }
      }
    }
    return dropped
  }
}
