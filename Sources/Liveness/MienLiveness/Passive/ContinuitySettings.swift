/// When a face is not the one that was there before. A value of this type is always sensible.
public struct ContinuitySettings: Hashable, Sendable {
  /// Shift of the face's proportions (root mean square of eight relative lengths) between two neighbouring blocks of
  /// frames, from which it is another face. 0.005…0.5.
  public let largestShift: Double
  /// Degrees of yaw and pitch beyond which the tracker's third dimension is not trusted. 5…60.
  public let largestAngle: Float

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(largestShift: Double = 0.045, largestAngle: Float = 20) {
    guard (0.005...0.5).contains(largestShift), (5...60).contains(largestAngle) else { return nil }
    self.largestShift = largestShift
    self.largestAngle = largestAngle
  }
}
