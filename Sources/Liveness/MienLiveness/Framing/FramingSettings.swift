/// When a face is well framed. A value of this type is always sensible: the initialiser refuses nonsense.
public struct FramingSettings: Hashable, Sendable {
  /// Luma of the face region below which it is too dark, and above which too bright. 0…255.
  public let darkest: Float
  public let brightest: Float
  /// Height of the face box as a fraction of the picture's height: below, the person is too far; above, too close.
  public let smallest: Float
  public let largest: Float
  /// How far the centre of the face may be from the picture's centre, as a fraction of the picture's width and height.
  /// 0.02…0.5.
  public let maximumOffset: Float

  /// Refuses (nil) values outside the ranges that the properties document, or empty ranges.
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

  /// The defaults.
  public static let standard: FramingSettings = {
    guard let settings = FramingSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
