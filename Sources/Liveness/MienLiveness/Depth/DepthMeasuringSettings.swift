/// How depth is measured over a face. A value of this type is always sensible: the initialiser refuses nonsense.
public struct DepthMeasuringSettings: Hashable, Sendable {
  /// Cells along each side of the grid laid over the face box; each cell is the median of up to 3×3 samples. 16…128.
  public let grid: Int
  /// Samples further than this from the middle of the face, nearer or farther, are specks or background, mm. 40…500.
  public let depthWindow: Double
  /// The share of the face's cells that must have a depth. 0.1…1.
  public let minimumValidFraction: Double
  /// The share of the cells, the worst fitting ones, that a fit leaves out: specks and hair. 0…0.4.
  public let trimmed: Double

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(grid: Int = 48, depthWindow: Double = 120, minimumValidFraction: Double = 0.5, trimmed: Double = 0.1) {
    guard (16...128).contains(grid), (40...500).contains(depthWindow), (0.1...1).contains(minimumValidFraction),
      (0...0.4).contains(trimmed)
    else { return nil }
    self.grid = grid
    self.depthWindow = depthWindow
    self.minimumValidFraction = minimumValidFraction
    self.trimmed = trimmed
  }

  /// The defaults.
  public static let standard: DepthMeasuringSettings = {
    guard let settings = DepthMeasuringSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
