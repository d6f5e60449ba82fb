public import MienCore

/// Limits for the face during any task except the head turn, which has its own. The initializer validates every value.
public struct FacePresenceSettings: Hashable, Sendable {
  /// Grace period for a missing face, counted from the first frame without it, 0…10 s.
  public let faceLossGrace: Interval
  /// Grace period for several faces, counted from the first such frame, 0…10 s.
  public let severalFacesGrace: Interval
  /// Time without any frame after which the face counts as lost. At least `faceLossGrace`, up to 60 s.
  public let silenceGrace: Interval
  /// Maximum plausible speed of any head angle in degrees per second, 50…10000.
  public let maximumSpeed: Float
  /// Angle error in degrees between two samples, 0…45.
  public let jitterTolerance: Float
  /// Maximum movement of the face center between two samples, in face widths. Above 0, up to 10.
  public let maximumShift: Float
  /// Maximum factor by which the face size may change between two samples. Above 1, up to 10.
  public let maximumSizeRatio: Float
  /// Maximum number of samples in one task, 16…65536.
  public let maximumSamples: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    faceLossGrace: Interval = .milliseconds(500), severalFacesGrace: Interval = .milliseconds(500),
    silenceGrace: Interval = .seconds(2), maximumSpeed: Float = 500, jitterTolerance: Float = 6,
    maximumShift: Float = 0.7, maximumSizeRatio: Float = 1.6, maximumSamples: Int = 16_384
  ) {
    let graces = Interval.zero...Interval.seconds(10)
    guard graces.contains(faceLossGrace), graces.contains(severalFacesGrace),
      (faceLossGrace...Interval.seconds(60)).contains(silenceGrace), (50...10_000).contains(maximumSpeed),
      (0...45).contains(jitterTolerance), maximumShift > 0, maximumShift <= 10, maximumSizeRatio > 1,
      maximumSizeRatio <= 10, (16...65_536).contains(maximumSamples)
    else { return nil }
    self.faceLossGrace = faceLossGrace
    self.severalFacesGrace = severalFacesGrace
    self.silenceGrace = silenceGrace
    self.maximumSpeed = maximumSpeed
    self.jitterTolerance = jitterTolerance
    self.maximumShift = maximumShift
    self.maximumSizeRatio = maximumSizeRatio
    self.maximumSamples = maximumSamples
  }

  /// Default settings.
  public static let standard: FacePresenceSettings = {
    guard let settings = FacePresenceSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
