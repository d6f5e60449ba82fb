public import MienCore

/// Expected eyelid movement of a live subject. The initializer validates every value.
public struct EyelidSettings: Hashable, Sendable {
  /// Range of eyelid closure (coefficient, 0…1) at or below which the eyes count as static, 0.01…0.9.
  public let smallestSpan: Double
  /// Degrees of yaw and pitch beyond which the coefficient is unreliable, 5…60.
  public let largestAngle: Float
  /// Minimum number of usable frames for an assessment, 10…1000.
  public let minimumFrames: Int
  /// Minimum time with usable frames for an assessment, 1…60 s. People blink every few seconds.
  public let shortestWatch: Interval

  /// Returns `nil` if a value is outside its documented range.
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
