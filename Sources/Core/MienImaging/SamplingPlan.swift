/// What is taken of a picture that is not kept whole.
public struct SamplingPlan: Hashable, Sendable {
  /// Side of the tiles that are kept at full scale, in pixels: a multiple of 8.
  public let tileSize: Int
  /// Top left corners of the tiles: multiples of 8, each tile inside the picture.
  public let corners: [SIMD2<Int>]
  /// How many pixels, in both directions, become one sample of the whole picture made small; 1 = it stays as it is.
  public let factor: Int
  /// Of the whole blocks of 8 × 8 pixels, row by row from the top left, one of this many is kept at full scale.
  public let blockPace: Int

  /// - Precondition: the tiles lie as said, and factor and pace are positive.
  public init(tileSize: Int, corners: [SIMD2<Int>], factor: Int, blockPace: Int) {
    precondition(factor > 0 && blockPace > 0, "nothing to take")
    precondition(
      tileSize.isMultiple(of: 8) && corners.allSatisfy { $0.x.isMultiple(of: 8) && $0.y.isMultiple(of: 8) },
      "tiles lie on blocks")
    self.tileSize = tileSize
    self.corners = corners
    self.factor = factor
    self.blockPace = blockPace
  }

  /// The rows of pixels that make the sample row `row` of the picture made small: of large boxes a few are enough, as what
  /// is left of noise is below a grey level.
  public func rows(of row: Int) -> [Int] {
    let count = min(factor, Self.rowsOfBox)
    return (0..<count).map { row * factor + $0 * factor / count }
  }

  /// Most rows of a box that are looked at.
  static let rowsOfBox = 4
}
