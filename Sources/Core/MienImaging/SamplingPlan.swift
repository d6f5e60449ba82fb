/// The samples taken from an image that is not stored whole.
public struct SamplingPlan: Hashable, Sendable {
  /// Side of the full-scale tiles in pixels: a multiple of 8.
  public let tileSize: Int
  /// Top left corners of the tiles: multiples of 8, each tile inside the image.
  public let corners: [SIMD2<Int>]
  /// Downscaling factor in both directions; 1 = full size.
  public let factor: Int
  /// Of the complete blocks of 8 × 8 pixels, in row-major order from the top left, every `blockPace`th is stored at
  /// full scale.
  public let blockPace: Int

  /// - Precondition: the tiles lie on multiples of 8, and factor and pace are positive.
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

  /// Returns the pixel rows averaged into the row `row` of the downscaled image: a few rows are enough for large boxes,
  /// as the remaining noise is below one gray level.
  public func rows(of row: Int) -> [Int] {
    let count = min(factor, Self.rowsOfBox)
    return (0..<count).map { row * factor + $0 * factor / count }
  }

  /// Maximum number of rows used per box.
  static let rowsOfBox = 4
}
