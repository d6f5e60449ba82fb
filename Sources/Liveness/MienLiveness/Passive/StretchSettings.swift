/// Settings for detecting a face that stretches like an image on a tilted sheet. The initializer validates every value.
public struct StretchSettings: Hashable, Sendable {
  /// Relative range (5th to 95th percentile) of the face's width-to-height ratio from which it is a sheet, 0.02…1.
  public let largestSpan: Double
  /// Degrees of yaw and pitch beyond which the tracker's depth coordinate is unreliable, 5…60.
  public let largestAngle: Float
  /// Minimum number of usable frames for an assessment, 10…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(largestSpan: Double = 0.18, largestAngle: Float = 30, minimumFrames: Int = 30) {
    guard (0.02...1).contains(largestSpan), (5...60).contains(largestAngle), (10...1000).contains(minimumFrames)
    else { return nil }
    self.largestSpan = largestSpan
    self.largestAngle = largestAngle
    self.minimumFrames = minimumFrames
  }
}
