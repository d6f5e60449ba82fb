public import MienCore

/// Settings for detecting blinks. The initializer validates every value.
///
/// Eye coefficients vary between people and decrease with a lowered gaze, so no value here is an absolute level: each eye is measured
/// relative to its own open level, its recent minimum.
public struct BlinkSettings: Hashable, Sendable {
  /// Minimum rise of the mean of both eyes above their open levels for a closure, 0.05…0.9.
  public let closingRise: Float
  /// Minimum rise of each eye, 0…`closingRise`, so that a wink does not count as a blink.
  public let eachEyeRise: Float
  /// Fraction of its highest rise to which a closure must fall to end, 0.1…0.9; together with `closingRise` this is the hysteresis.
  public let openingShare: Float
  /// Maximum duration of a blink, 0.1…3 s.
  public let longestClosure: Interval
  /// Minimum time from the end of a blink to the start of the next, 0…1 s.
  public let shortestPause: Interval
  /// Maximum rise of an open level per second if an eye does not return to it because the gaze was lowered, 0.01…2.
  public let openLevelDrift: Float
  /// Maximum difference between the rises of the two eyes in one sample, 0.1…1.5. Beyond it the sample counts as inconsistent.
  public let largestDifference: Float
  /// Fraction of inconsistent samples above which the movement is rejected, evaluated from ten samples on, 0…1.
  public let differenceShare: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    closingRise: Float = 0.22, eachEyeRise: Float = 0.15, openingShare: Float = 0.5,
    longestClosure: Interval = .milliseconds(800), shortestPause: Interval = .milliseconds(100),
    openLevelDrift: Float = 0.15, largestDifference: Float = 0.35, differenceShare: Float = 0.2
  ) {
    guard (0.05...0.9).contains(closingRise), (0...closingRise).contains(eachEyeRise),
      (0.1...0.9).contains(openingShare),
      (Interval.milliseconds(100)...Interval.seconds(3)).contains(longestClosure),
      (Interval.zero...Interval.seconds(1)).contains(shortestPause), (0.01...2).contains(openLevelDrift),
      (0.1...1.5).contains(largestDifference), (0...1).contains(differenceShare)
    else { return nil }
    self.closingRise = closingRise
    self.eachEyeRise = eachEyeRise
    self.openingShare = openingShare
    self.longestClosure = longestClosure
    self.shortestPause = shortestPause
    self.openLevelDrift = openLevelDrift
    self.largestDifference = largestDifference
    self.differenceShare = differenceShare
  }

  /// Returns the settings for a difficulty. Easy accepts shallower and longer closures; hard requires deeper and shorter ones.
  public static func standard(_ difficulty: TaskDifficulty) -> BlinkSettings {
    let settings =
      switch difficulty {
      case .easy:
        BlinkSettings(closingRise: 0.2, eachEyeRise: 0.12, longestClosure: .milliseconds(1000))
      case .medium: BlinkSettings()
      case .hard: BlinkSettings(closingRise: 0.28, eachEyeRise: 0.2, longestClosure: .milliseconds(700))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
