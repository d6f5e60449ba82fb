/// When a face stretches as a picture on a tilted sheet does. A value of this type is always sensible.
public struct StretchSettings: Hashable, Sendable {
  /// Relative span (5th to 95th percentile) of the face's width to height, from which it is a sheet. 0.02…1.
  public let largestSpan: Double
  /// Degrees of yaw and pitch beyond which the tracker's third dimension is not trusted. 5…60.
  public let largestAngle: Float
  /// Fewer usable frames are not assessed. 10…1000.
  public let minimumFrames: Int

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(largestSpan: Double = 0.18, largestAngle: Float = 30, minimumFrames: Int = 30) {
    guard (0.02...1).contains(largestSpan), (5...60).contains(largestAngle), (10...1000).contains(minimumFrames)
    else { return nil }
    self.largestSpan = largestSpan
    self.largestAngle = largestAngle
    self.minimumFrames = minimumFrames
  }
}
