/// Settings for detecting that the pixels at the landmarks belong to another face. The initializer validates every value.
public struct ToneSettings: Hashable, Sendable {
  /// Correlation of the tones at 32 landmarks with those of earlier frames, at or below which the pixels have changed, 0…0.99.
  public let smallestCorrelation: Double
  /// Degrees of yaw and pitch beyond which landmarks lie on the edge of the face, 5…60.
  public let largestAngle: Float
  /// Number of frames at about the same yaw before others are compared with them, 1…8.
  public let minimumViews: UInt8
  /// Minimum number of comparisons for an assessment, 4…1000.
  public let minimumFrames: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    smallestCorrelation: Double = 0.75, largestAngle: Float = 20, minimumViews: UInt8 = 4, minimumFrames: Int = 12
  ) {
    guard (0...0.99).contains(smallestCorrelation), (5...60).contains(largestAngle), (1...8).contains(minimumViews),
      (4...1000).contains(minimumFrames)
    else { return nil }
    self.smallestCorrelation = smallestCorrelation
    self.largestAngle = largestAngle
    self.minimumViews = minimumViews
    self.minimumFrames = minimumFrames
  }
}
