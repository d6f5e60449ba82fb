/// Settings for measuring depth over a face. The initializer validates every value.
public struct DepthMeasuringSettings: Hashable, Sendable {
  /// Number of cells along each side of the grid over the face box; each cell is the median of up to 3×3 samples, 16…128.
  public let grid: Int
  /// Maximum difference in depth from the center of the face, mm, 40…500. Other samples are noise or background.
  public let depthWindow: Double
  /// Minimum fraction of the face's cells that have depth, 0.1…1.
  public let minimumValidFraction: Double
  /// Fraction of the worst-fitting cells that a fit excludes, such as noise and hair, 0…0.4.
  public let trimmed: Double

  /// Returns `nil` if a value is outside its documented range.
  public init?(grid: Int = 48, depthWindow: Double = 120, minimumValidFraction: Double = 0.5, trimmed: Double = 0.1) {
    guard (16...128).contains(grid), (40...500).contains(depthWindow), (0.1...1).contains(minimumValidFraction),
      (0...0.4).contains(trimmed)
    else { return nil }
    self.grid = grid
    self.depthWindow = depthWindow
    self.minimumValidFraction = minimumValidFraction
    self.trimmed = trimmed
  }

  /// Default settings.
  public static let standard: DepthMeasuringSettings = {
    guard let settings = DepthMeasuringSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
