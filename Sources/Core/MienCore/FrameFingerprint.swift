/// A perceptual hash of a whole frame, face and background: the luma of 16 × 16 cells, free of brightness and contrast.
///
/// Re-encoding, rescaling, blurring, noise and another exposure hardly change it; a movement of the face does.
public struct FrameFingerprint: Hashable, Sendable {
  /// Cells in a row, and rows.
  public static let side = 16
  /// Minimum standard deviation of the cells' luma; an image with less contrast has no fingerprint.
  public static let leastContrast: Float = 8
  /// Number of steps per standard deviation.
  public static let steps: Float = 42

  /// Deviations of the cells from their mean, row by row, in 1/42 of the standard deviation.
  public let cells: ContiguousArray<Int8>
  /// The means of 4 × 4 cells each.
  private let coarse: SIMD16<Float>

  /// Creates a fingerprint; returns `nil` for another number of cells, for values that are not finite, and for an image
  /// with too little contrast.
  ///
  /// - Parameter luma: mean luma of each cell, row by row.
  public init?(luma: [Float]) {
    let count = Float(Self.side * Self.side)
    guard luma.count == Self.side * Self.side else { return nil }
    let mean = luma.reduce(0, +) / count
    let deviation = (luma.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    guard deviation.isFinite, deviation >= Self.leastContrast else { return nil }
    cells = ContiguousArray(luma.map { Int8(min(max(($0 - mean) / deviation * Self.steps, -127), 127).rounded()) })
    var sums = SIMD16<Float>(repeating: 0)
    for (index, cell) in cells.enumerated() { sums[index / 64 * 4 + index % 16 / 4] += Float(cell) }
    coarse = sums / 16
  }

  /// Returns a lower bound of ``distance(to:)``, at a fraction of its cost.
  public func leastDistance(to other: Self) -> Float {
    let difference = coarse - other.coarse
    return ((difference * difference).sum() / 16).squareRoot() / Self.steps
  }

  /// Returns the root mean square difference to another fingerprint, in standard deviations.
  public func distance(to other: Self) -> Float {
    let (one, two) = (cells.span, other.cells.span)
    var sum: Int32 = 0
    for index in one.indices {
      let difference = Int32(one[index]) - Int32(two[index])
      sum += difference * difference
    }
    return Self.deviations(Float(sum))
  }

  /// Returns the root mean square difference to the nearest blend of two fingerprints, which approximates a frame
  /// between them.
  public func distance(toBlendOf first: Self, _ last: Self) -> Float {
    let (own, one, two) = (cells.span, first.cells.span, last.cells.span)
    var (squares, product, stepSquares): (Int32, Int32, Int32) = (0, 0, 0)
    for index in own.indices {
      let offset = Int32(own[index]) - Int32(one[index])
      let step = Int32(two[index]) - Int32(one[index])
      squares += offset * offset
      product += offset * step
      stepSquares += step * step
    }
    guard stepSquares > 0 else { return Self.deviations(Float(squares)) }
    let share = min(max(Float(product) / Float(stepSquares), 0), 1)
    return Self.deviations(Float(squares) - share * (2 * Float(product) - share * Float(stepSquares)))
  }

  private static func deviations(_ squares: Float) -> Float {
    (max(squares, 0) / Float(side * side)).squareRoot() / steps
  }
}

extension FrameFingerprint: CustomStringConvertible, CustomReflectable {
  public var description: String { "FrameFingerprint(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
