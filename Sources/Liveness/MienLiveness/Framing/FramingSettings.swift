/// Limits for a well-framed face. The initializer validates every value.
public struct FramingSettings: Hashable, Sendable {
  /// Luma of the face region below which it is too dark, and above which it is too bright, 0…255.
  public let darkest: Float
  public let brightest: Float
  /// Height of the face box as a fraction of the image height: below `smallest` the face is too far, above `largest` too close.
  public let smallest: Float
  public let largest: Float
  /// Maximum distance of the face center from the image center, as a fraction of the image width and height, 0.02…0.5.
  public let maximumOffset: Float

  /// Returns `nil` if a value is outside its documented range, or if a range is empty.
  public init?(
    darkest: Float = 40, brightest: Float = 235, smallest: Float = 0.22, largest: Float = 0.9,
    maximumOffset: Float = 0.22
  ) {
    guard darkest >= 0, brightest <= 255, darkest < brightest, smallest > 0, largest <= 2, smallest < largest,
      (0.02...0.5).contains(maximumOffset)
    else { return nil }
    self.darkest = darkest
    self.brightest = brightest
    self.smallest = smallest
    self.largest = largest
    self.maximumOffset = maximumOffset
  }

  /// Default settings.
  public static let standard: FramingSettings = {
    guard let settings = FramingSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
