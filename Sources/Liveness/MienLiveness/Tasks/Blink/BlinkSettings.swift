public import MienCore

/// What counts as a blink. A value of this type is always sensible: the initialiser refuses nonsense.
///
/// The eyes' coefficients differ from person to person and fall with the gaze, so nothing here is an absolute level:
/// each eye is measured from its own open level, the lowest it lately was.
public struct BlinkSettings: Hashable, Sendable {
  /// How much the mean of both eyes must rise above their open levels to be a closure. 0.05…0.9.
  public let closingRise: Float
  /// How much each of the two eyes must rise: a wink is no blink. 0…`closingRise`.
  public let eachEyeRise: Float
  /// The share of its highest rise to which a closure must fall to have ended; with `closingRise` this is the
  /// hysteresis. 0.1…0.9.
  public let openingShare: Float
  /// The longest closure that still is a blink. 0.1…3 s.
  public let longestClosure: Interval
  /// The shortest time from the end of a blink to the begin of the next. 0…1 s.
  public let shortestPause: Interval
  /// How fast an open level may rise, per second, when an eye does not come back to it: the gaze went down. 0.01…2.
  public let openLevelDrift: Float
  /// How differently the two eyes may have risen in one sample before the sample counts as one of no pair of eyes.
  /// 0.1…1.5.
  public let largestDifference: Float
  /// The share of such samples above which the movement is refused, once there are ten samples. 0…1.
  public let differenceShare: Float

  /// Refuses (nil) values outside the ranges that the properties document.
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

  /// Easy takes shallower and longer closures, hard asks for deeper and shorter ones.
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
