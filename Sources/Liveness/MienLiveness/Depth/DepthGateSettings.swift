public import MienCore

/// How the depth gate runs. A value of this type is always sensible: the initialiser refuses nonsense.
public struct DepthGateSettings: Hashable, Sendable {
  /// How long the gate waits for enough captures. 0.5…60 s.
  public let window: Interval
  /// Captures in a row that must meet the thresholds. 1…100.
  public let consecutive: Int

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(window: Interval = .seconds(5), consecutive: Int = 3) {
    guard (Interval.milliseconds(500)...Interval.seconds(60)).contains(window), (1...100).contains(consecutive)
    else { return nil }
    self.window = window
    self.consecutive = consecutive
  }

  /// The defaults.
  public static let standard: DepthGateSettings = {
    guard let settings = DepthGateSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
