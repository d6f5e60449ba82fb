public import MienCore

/// How a head turn is judged. A value of this type is always sensible: the initialiser refuses nonsense.
public struct HeadTurnSettings: Hashable, Sendable {
  /// A version for findings; change it whenever a default changes.
  public static let version = "head-turn-1"

  /// Degrees towards the asked side below which a head counts as facing the camera (P1 and P3). 0.5…45.
  public let centerThreshold: Float
  /// Degrees towards the asked side beyond which the head has turned (P2). Above `centreThreshold`, up to 90.
  public let farThreshold: Float
  /// How long the person has, from the begin of tracking. 1…120 s.
  public let timeLimit: Interval
  /// How long the face may be missing, counted from the first frame without it. 0…10 s.
  public let faceLossGrace: Interval
  /// The same while the head was last seen beyond P2 on the asked side ("turned far"). 0…10 s.
  public let turnedFarGrace: Interval
  /// How long several faces may be seen, counted from the first such frame. 0…10 s.
  public let severalFacesGrace: Interval
  /// How long there may be no frame at all before the face counts as lost: a network that stalls is not the person's
  /// doing. Never shorter than `faceLossGrace`. 0…60 s.
  public let silenceGrace: Interval
  /// Degrees that a yaw may err: retreats smaller than this are no wrong-way travel, wrong-way travel up to this much is
  /// tolerated in each phase, and a step may be this much larger than `maximumSpeed` allows. 0…45.
  public let jitterTolerance: Float
  /// Wrong-way travel is also tolerated up to this share of the right-way travel of its phase: people hesitate. 0…0.9.
  public let hesitation: Float
  /// Degrees per frame by which the mean signed changes of the way out and the way back must differ. 0…45.
  public let minimumDistinctChange: Float
  /// Degrees per second that a head cannot exceed. 50…10000.
  public let maximumSpeed: Float
  /// How many samples strictly between the two thresholds each way must hold: a turn has to be seen, not concluded from
  /// its two ends, or two photographs shown in turn would pass. 0…16.
  public let minimumSamplesBetween: Int
  /// Samples that one phase may take (before P1, P1→P2, P2→P3). 16…65536.
  public let maximumSamplesPerPhase: Int
  /// How far the centre of the face may move between two samples, in widths of the face. Above 0, up to 10.
  public let maximumShift: Float
  /// By which factor the size of the face (root of its area) may change between two samples. Above 1, up to 10.
  public let maximumSizeRatio: Float

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    centerThreshold: Float = 5, farThreshold: Float = 25, timeLimit: Interval = .seconds(10),
    faceLossGrace: Interval = .milliseconds(500), turnedFarGrace: Interval = .seconds(2),
    severalFacesGrace: Interval = .milliseconds(500), silenceGrace: Interval = .seconds(2),
    jitterTolerance: Float = 6, hesitation: Float = 0.25, minimumDistinctChange: Float = 0.05,
    maximumSpeed: Float = 800, minimumSamplesBetween: Int = 1, maximumSamplesPerPhase: Int = 4096,
    maximumShift: Float = 0.7, maximumSizeRatio: Float = 1.6
  ) {
    let graces = Interval.zero...Interval.seconds(10)
    guard (0.5...45).contains(centerThreshold), farThreshold > centerThreshold, farThreshold <= 90,
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

  /// The defaults.
  public static let standard: HeadTurnSettings = {
    guard let settings = HeadTurnSettings() else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }()
}
