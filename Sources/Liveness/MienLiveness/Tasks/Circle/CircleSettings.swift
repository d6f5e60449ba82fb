public import MienCore

/// What counts as a circle. A value of this type is always sensible: the initialiser refuses nonsense.
///
/// A neck turns further than it nods, so a pitch counts for `pitchWeight` as much as a yaw; "radius" and "angle" are
/// of that stretched plane, around the rest pose.
public struct CircleSettings: Hashable, Sendable {
  /// Into how many sectors the circle is divided; all must be gone through. 4…32.
  public let sectors: Int
  /// Degrees of yaw from the rest pose that the head must be away at least. 2…40.
  public let minimumRadius: Float
  /// Degrees of yaw that it may be away at most. Above `minimumRadius`, up to 90.
  public let maximumRadius: Float
  /// How many degrees of yaw a degree of pitch counts for. 0.5…4.
  public let pitchWeight: Float
  /// Degrees around the circle that two samples in a row may be apart and still count as a line: a circle has to be
  /// seen, not concluded from a few photographs. 10…120.
  public let longestStep: Float
  /// How many steps longer than that are forgiven. 0…16.
  public let forgivenJumps: Int
  /// Degrees around the circle that may be gone backwards; smaller ones than `jitter` do not count. 0…360.
  public let backwardTolerance: Float
  /// Degrees around the circle that a tracker may err. 0…45.
  public let jitter: Float
  /// The least time a circle takes. 0…10 s.
  public let shortestTime: Interval

  /// Refuses (nil) values outside the ranges that the properties document.
  public init?(
    sectors: Int = 12, minimumRadius: Float = 8, maximumRadius: Float = 40, pitchWeight: Float = 1.5,
    longestStep: Float = 75, forgivenJumps: Int = 2, backwardTolerance: Float = 90, jitter: Float = 20,
    shortestTime: Interval = .milliseconds(800)
  ) {
    guard (4...32).contains(sectors), (2...40).contains(minimumRadius), maximumRadius > minimumRadius,
      maximumRadius <= 90, (0.5...4).contains(pitchWeight), (10...120).contains(longestStep),
      (0...16).contains(forgivenJumps), (0...360).contains(backwardTolerance), (0...45).contains(jitter),
      (Interval.zero...Interval.seconds(10)).contains(shortestTime)
    else { return nil }
    self.sectors = sectors
    self.minimumRadius = minimumRadius
    self.maximumRadius = maximumRadius
    self.pitchWeight = pitchWeight
    self.longestStep = longestStep
    self.forgivenJumps = forgivenJumps
    self.backwardTolerance = backwardTolerance
    self.jitter = jitter
    self.shortestTime = shortestTime
  }

  /// Easy: eight sectors and a small circle; hard: sixteen and a rounder one.
  public static func standard(_ difficulty: TaskDifficulty) -> CircleSettings {
    let settings =
      switch difficulty {
      case .easy: CircleSettings(sectors: 8, minimumRadius: 6, maximumRadius: 50, backwardTolerance: 120)
      case .medium: CircleSettings()
      case .hard: CircleSettings(sectors: 16, minimumRadius: 10, maximumRadius: 35, backwardTolerance: 60)
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
