public import MienCore

/// Settings for evaluating a head turn. The initializer validates every value.
public struct HeadTurnSettings: Hashable, Sendable {
  /// Version reported in findings; change it whenever a default changes.
  public static let version = "head-turn-1"

  /// Angle in degrees toward the requested side below which a head counts as facing the camera (P1 and P3), 0.5…45.
  public let centerThreshold: Float
  /// Angle in degrees toward the requested side beyond which the head counts as turned (P2). Above `centerThreshold`, up to 90.
  public let farThreshold: Float
  /// Angle in degrees toward the other side beyond which the hint to turn the other way appears. At least `centerThreshold`, up to
  /// `farThreshold`.
  public let otherWayThreshold: Float
  /// Time for which the head must be turned to the other side before that hint appears, 0…10 s.
  public let otherWayDelay: Interval
  /// Time limit from the start of tracking, 1…120 s.
  public let timeLimit: Interval
  /// Grace period for a missing face, counted from the first frame without it, 0…10 s.
  public let faceLossGrace: Interval
  /// Grace period for a missing face while the head was last seen beyond P2 on the requested side ("turned far"), 0…10 s.
  public let turnedFarGrace: Interval
  /// Grace period for several faces, counted from the first such frame, 0…10 s.
  public let severalFacesGrace: Interval
  /// Time without any frame after which the face counts as lost. It is separate because a stalled network is not the subject's fault. At
  /// least `faceLossGrace`, up to 60 s.
  public let silenceGrace: Interval
  /// Yaw error in degrees, 0…45. Smaller retreats are not wrong-way travel, wrong-way travel up to this amount is tolerated in each
  /// phase, and a step may exceed `maximumSpeed` by this amount.
  public let jitterTolerance: Float
  /// Tolerated wrong-way travel as a fraction of the right-way travel of its phase, to allow for hesitation, 0…0.9.
  public let hesitation: Float
  /// Minimum difference in degrees per frame between the mean signed changes of the way out and the way back, 0…45.
  public let minimumDistinctChange: Float
  /// Maximum plausible speed of a head in degrees per second, 50…10000.
  public let maximumSpeed: Float
  /// Minimum number of samples strictly between the two thresholds on each way, 0…16. The turn must be observed and not inferred from its
  /// end points; otherwise two alternating photos would pass.
  public let minimumSamplesBetween: Int
  /// Maximum number of samples in one phase (before P1, P1→P2, P2→P3), 16…65536.
  public let maximumSamplesPerPhase: Int
  /// Maximum movement of the face center between two samples, in face widths. Above 0, up to 10.
  public let maximumShift: Float
  /// Maximum factor by which the face size (square root of its area) may change between two samples. Above 1, up to 10.
  public let maximumSizeRatio: Float

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    centerThreshold: Float = 5, farThreshold: Float = 25, otherWayThreshold: Float? = nil,
    otherWayDelay: Interval = .milliseconds(500), timeLimit: Interval = .seconds(10),
    faceLossGrace: Interval = .milliseconds(500), turnedFarGrace: Interval = .seconds(2),
    severalFacesGrace: Interval = .milliseconds(500), silenceGrace: Interval = .seconds(2),
    jitterTolerance: Float = 6, hesitation: Float = 0.25, minimumDistinctChange: Float = 0.05,
    maximumSpeed: Float = 800, minimumSamplesBetween: Int = 1, maximumSamplesPerPhase: Int = 4096,
    maximumShift: Float = 0.7, maximumSizeRatio: Float = 1.6
  ) {
    let graces = Interval.zero...Interval.seconds(10)
    // Halfway, unless it is given.
    let otherWayThreshold = otherWayThreshold ?? (centerThreshold + farThreshold) / 2
    guard (0.5...45).contains(centerThreshold), farThreshold > centerThreshold, farThreshold <= 90,
      (centerThreshold...farThreshold).contains(otherWayThreshold), graces.contains(otherWayDelay),
      (Interval.seconds(1)...Interval.seconds(120)).contains(timeLimit),
      graces.contains(faceLossGrace), graces.contains(turnedFarGrace), graces.contains(severalFacesGrace),
      (faceLossGrace...Interval.seconds(60)).contains(silenceGrace),
      (0...45).contains(jitterTolerance), (0...0.9).contains(hesitation),
      (0...45).contains(minimumDistinctChange), (50...10_000).contains(maximumSpeed),
      (0...16).contains(minimumSamplesBetween),
      (16...65_536).contains(maximumSamplesPerPhase), maximumShift > 0, maximumShift <= 10, maximumSizeRatio > 1,
      maximumSizeRatio <= 10
    else { return nil }
    self.centerThreshold = centerThreshold
    self.farThreshold = farThreshold
    self.otherWayThreshold = otherWayThreshold
    self.otherWayDelay = otherWayDelay
    self.timeLimit = timeLimit
    self.faceLossGrace = faceLossGrace
    self.turnedFarGrace = turnedFarGrace
    self.severalFacesGrace = severalFacesGrace
    self.silenceGrace = silenceGrace
    self.jitterTolerance = jitterTolerance
    self.hesitation = hesitation
    self.minimumDistinctChange = minimumDistinctChange
    self.maximumSpeed = maximumSpeed
    self.minimumSamplesBetween = minimumSamplesBetween
    self.maximumSamplesPerPhase = maximumSamplesPerPhase
    self.maximumShift = maximumShift
    self.maximumSizeRatio = maximumSizeRatio
  }

  /// Default settings.
  public static let standard: HeadTurnSettings = {
    guard let settings = HeadTurnSettings() else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }()
}
