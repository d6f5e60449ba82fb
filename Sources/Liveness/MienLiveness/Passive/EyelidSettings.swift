public import MienCore

/// How much a living person's eyelids move. A value of this type is always sensible.
public struct EyelidSettings: Hashable, Sendable {
  /// Span of the eyelids' closure (coefficient, 0…1) at or below which the eyes count as painted. 0.01…0.9.
  public let smallestSpan: Double
  /// Degrees of yaw and pitch beyond which the coefficient is not trusted. 5…60.
  public let largestAngle: Float
  /// Fewer usable frames are not assessed. 10…1000.
  public let minimumFrames: Int
  /// Less time with usable frames is not assessed: people blink every few seconds. 1…60 s.
  public let shortestWatch: Interval

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    smallestSpan: Double = 0.15, largestAngle: Float = 25, minimumFrames: Int = 30,
    shortestWatch: Interval = .seconds(4)
  ) {
    guard (0.01...0.9).contains(smallestSpan), (5...60).contains(largestAngle), (10...1000).contains(minimumFrames),
      (Interval.seconds(1)...Interval.seconds(60)).contains(shortestWatch)
    else { return nil }
    self.smallestSpan = smallestSpan
    self.largestAngle = largestAngle
    self.minimumFrames = minimumFrames
    self.shortestWatch = shortestWatch
  }
}
