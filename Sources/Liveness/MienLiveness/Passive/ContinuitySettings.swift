/// Settings for detecting that one face was replaced by another. The initializer validates every value.
public struct ContinuitySettings: Hashable, Sendable {
  /// Minimum shift of the face's proportions (root mean square of eight relative lengths) between two adjacent blocks of frames that
  /// indicates another face, 0.005…0.5.
  public let largestShift: Double
  /// Degrees of yaw and pitch beyond which the tracker's depth coordinate is unreliable, 5…60.
  public let largestAngle: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(largestShift: Double = 0.045, largestAngle: Float = 20) {
    guard (0.005...0.5).contains(largestShift), (5...60).contains(largestAngle) else { return nil }
    self.largestShift = largestShift
    self.largestAngle = largestAngle
  }
}
