public import MienCore

/// Settings of the depth gate. The initializer validates every value.
public struct DepthGateSettings: Hashable, Sendable {
  /// Maximum wait for enough captures, 0.5…60 s.
  public let window: Interval
  /// Number of consecutive captures that must meet the thresholds, 1…100.
  public let consecutive: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(window: Interval = .seconds(5), consecutive: Int = 3) {
    guard (Interval.milliseconds(500)...Interval.seconds(60)).contains(window), (1...100).contains(consecutive)
    else { return nil }
    self.window = window
    self.consecutive = consecutive
  }

  /// Default settings.
  public static let standard: DepthGateSettings = {
    guard let settings = DepthGateSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
