/// When a check counts as a recording of an earlier one (Documentation/reference/PassiveSignals.md has the measurements).
public struct ReplaySettings: Hashable, Sendable {
  /// A version for findings; change it whenever a default changes.
  public static let version = "replay-1"

  /// Minimum distance of two fingerprints of a check, in standard deviations: images that hardly differ are no evidence.
  /// 0.02…1.
  public let step: Float
  /// Maximum distance at which an image counts as one of an earlier check, in standard deviations. 0.005…0.5, below `step`.
  public let tolerance: Float
  /// Minimum number of images of a check that is compared. 2…64.
  public let fewest: Int
  /// Minimum divisor of the share of images seen before. 2…128.
  public let base: Int
  /// The share of pictures, all in one earlier check, from which a check is suspect. 0.1…1.
  public let share: Double

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    step: Float = 0.08, tolerance: Float = 0.04, fewest: Int = 8, base: Int = 16, share: Double = 0.5
  ) {
    guard (0.02...1).contains(step), (0.005...0.5).contains(tolerance), tolerance < step, (2...64).contains(fewest),
      (2...128).contains(base), (0.1...1).contains(share)
    else { return nil }
    self.step = step
    self.tolerance = tolerance
    self.fewest = fewest
    self.base = base
    self.share = share
  }

  /// The defaults.
  public static let standard: ReplaySettings = {
    guard let settings = ReplaySettings() else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }()
}
