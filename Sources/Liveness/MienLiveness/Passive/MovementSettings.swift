public import MienCore

/// How much a living head moves. A value of this type is always sensible.
public struct MovementSettings: Hashable, Sendable {
  /// Sway (deviation of place and size, averaged over five frames) in eye distances at or below which a head is too
  /// still. 0.0001…0.1.
  public let smallestSway: Double
  /// Step in eye distances from which a change of direction counts: smaller ones are the tracker's noise. 0.001…0.2.
  public let jerkStep: Float
  /// Share of frames at which the direction of such steps has turned by more than 90° twice in a row, from which the
  /// movement is not a body's.
  /// 0.02…1.
  public let largestJerkShare: Double
  /// Steps that take longer say nothing about zigzag: too few frames to a nod. 20…500 ms.
  public let longestStep: Interval
  /// Fewer frames with a face are not assessed. 10…1000.
  public let minimumFrames: Int

  /// Refuses (nil) values outside the ranges that the properties document.
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
