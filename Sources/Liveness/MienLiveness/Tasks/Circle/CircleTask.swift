public import MienCore

/// Task to describe a circle with the head.
public struct CircleTask: Hashable, Sendable {
  /// Direction of the circle as subjects see themselves in a mirror.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Up, to the subject's right, down, to the subject's left.
    case clockwise
    case counterclockwise
  }

  /// Requested direction; `nil` accepts either.
  public let direction: Direction?
  public let difficulty: TaskDifficulty
  public let settings: CircleSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval

  /// Creates a task with a fixed direction, or with none.
  ///
  /// - Throws: ``TaskError`` with the option `timeout` if it is out of range.
  public init(
    direction: Direction? = nil, difficulty: TaskDifficulty = .medium, settings: CircleSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    self.direction = direction
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(20))
  }

  /// Returns a task with a random direction; an easy task accepts either direction.
  public static func random(
    difficulty: TaskDifficulty = .medium, timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> CircleTask {
    let direction: Direction? =
      difficulty == .easy ? nil : Bool.random(using: &generator) ? .clockwise : .counterclockwise
    return try CircleTask(direction: direction, difficulty: difficulty, timeout: timeout)
  }
}

/// Settings for detecting a circle. The initializer validates every value.
///
/// A neck turns further than it nods, so one degree of pitch counts as `pitchWeight` degrees of yaw; "radius" and "angle" refer to this
/// scaled plane, centered on the rest pose.
public struct CircleSettings: Hashable, Sendable {
  /// Number of sectors of the circle, all of which must be covered, 4…32.
  public let sectors: Int
  /// Minimum distance from the rest pose in degrees of yaw, 2…40.
  public let minimumRadius: Float
  /// Maximum distance from the rest pose in degrees of yaw. Above `minimumRadius`, up to 90.
  public let maximumRadius: Float
  /// Degrees of yaw that one degree of pitch counts for, 0.5…4.
  public let pitchWeight: Float
  /// Maximum angle in degrees around the circle between two consecutive samples that still count as a continuous line, 10…120. The circle
  /// must be observed and not inferred from a few photos.
  public let longestStep: Float
  /// Number of larger steps that are tolerated, 0…16.
  public let forgivenJumps: Int
  /// Tolerated backward travel in degrees around the circle, 0…360; retreats smaller than `jitter` do not count.
  public let backwardTolerance: Float
  /// Tracker error in degrees around the circle, 0…45.
  public let jitter: Float
  /// Minimum duration of a circle, 0…10 s.
  public let shortestTime: Interval

  /// Returns `nil` if a value is outside its documented range.
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

  /// Returns the settings for a difficulty. Easy: eight sectors and a small circle; hard: sixteen sectors and a rounder circle.
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
