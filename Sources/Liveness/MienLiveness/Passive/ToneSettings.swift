/// When the pixels at the landmarks are not those of the face that was there. A value of this type is always sensible.
public struct ToneSettings: Hashable, Sendable {
  /// Correlation of the tones at 32 landmarks with those of earlier frames, at and below which the pixels under the
  /// landmarks are others. 0…0.99.
  public let smallestCorrelation: Double
  /// Degrees of yaw and pitch beyond which landmarks lie on the edge of the face. 5…60.
  public let largestAngle: Float
  /// Frames at about the same yaw before others are held against them. 1…8.
  public let minimumViews: UInt8
  /// Fewer comparisons are not assessed. 4…1000.
  public let minimumFrames: Int

  /// Refuses (nil) values outside the ranges that the properties document.
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
