public import MienCore

/// What holds for the face during any task but the head turn, which has its own. The initialiser refuses nonsense.
public struct FacePresenceSettings: Hashable, Sendable {
  /// How long the face may be missing, counted from the first frame without it. 0…10 s.
  public let faceLossGrace: Interval
  /// How long several faces may be seen, counted from the first such frame. 0…10 s.
  public let severalFacesGrace: Interval
  /// How long there may be no frame at all. Never shorter than `faceLossGrace`. 0…60 s.
  public let silenceGrace: Interval
  /// Degrees per second that no angle of a head can exceed. 50…10000.
  public let maximumSpeed: Float
  /// Degrees by which an angle may err between two samples. 0…45.
  public let jitterTolerance: Float
  /// How far the centre of the face may move between two samples, in widths of the face. Above 0, up to 10.
  public let maximumShift: Float
  /// By which factor the size of the face may change between two samples. Above 1, up to 10.
  public let maximumSizeRatio: Float
  /// Samples that one task may take. 16…65536.
  public let maximumSamples: Int

  /// Refuses (nil) values outside the ranges that the properties document.
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

  /// The defaults.
  public static let standard: FacePresenceSettings = {
    guard let settings = FacePresenceSettings() else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }()
}
