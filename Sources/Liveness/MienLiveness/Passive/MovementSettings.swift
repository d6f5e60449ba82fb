public import MienCore

/// Expected head movement of a live subject. The initializer validates every value.
public struct MovementSettings: Hashable, Sendable {
  /// Sway (standard deviation of position and size, averaged over five frames) in eye distances at or below which a head is too still,
  /// 0.0001…0.1.
  public let smallestSway: Double
  /// Minimum step in eye distances for a change of direction to count, 0.001…0.2. Smaller steps are tracker noise.
  public let jerkStep: Float
  /// Fraction of frames at which the direction of such steps reversed by more than 90° twice in a row, from which the movement is not a
  /// human's, 0.02…1.
  public let largestJerkShare: Double
  /// Maximum interval of a step that is evaluated for zigzag, 20…500 ms. Beyond it there are too few frames per nod.
  public let longestStep: Interval
  /// Minimum number of frames with a face for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    smallestSway: Double = 0.008, jerkStep: Float = 0.015, largestJerkShare: Double = 0.11,
    longestStep: Interval = .milliseconds(110), minimumFrames: Int = 30
  ) {
    guard (0.0001...0.1).contains(smallestSway), (0.001...0.2).contains(jerkStep),
      (0.02...1).contains(largestJerkShare),
      (Interval.milliseconds(20)...Interval.milliseconds(500)).contains(longestStep),
      (10...1000).contains(minimumFrames)
    else { return nil }
    self.smallestSway = smallestSway
    self.jerkStep = jerkStep
    self.largestJerkShare = largestJerkShare
    self.longestStep = longestStep
    self.minimumFrames = minimumFrames
  }
}
