public import MienCore
internal import RealModule

/// Task to follow a target with the nose along a path that the server chose, so that a prerecorded clip shows a different one.
public struct HeadPathTask: Hashable, Sendable {
  /// Number of directions around the rest pose: 0 is the subject's left, 2 is up, 4 is the subject's right, 6 is down.
  public static let directions = 8
  /// Valid numbers of waypoints: with five there are 8 · 7⁴ ≈ 2¹⁴·² paths, with eight 8 · 7⁷ ≈ 2²²·⁶.
  public static let lengths = 5...16

  /// Directions of the waypoints in order, without consecutive duplicates; the path starts at the rest pose.
  public let waypoints: [Int]
  public let difficulty: TaskDifficulty
  public let settings: HeadPathSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  let isChosen: Bool

  /// Creates a task with a fixed path.
  ///
  /// - Throws: ``TaskError`` if the length is outside ``lengths``, if a direction is outside 0…7
  ///   or repeated consecutively, or if the timeout is out of range.
  public init(
    waypoints: [Int], difficulty: TaskDifficulty = .medium, settings: HeadPathSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(waypoints, isChosen: false, difficulty, settings, timeout)
  }

  /// Returns a task with a uniformly random path.
  ///
  /// - Parameters:
  ///   - difficulty: Decides the length and the tolerances.
  ///   - length: Number of waypoints; `nil` for eight, or ten if hard.
  ///   - settings: Thresholds; `nil` for those of the difficulty.
  ///   - timeout: Time limit; `nil` for the one that fits the length.
  ///   - generator: Source of randomness.
  /// - Throws: ``TaskError`` if the length is outside ``lengths`` or the timeout is out of range.
  public static func random(
    difficulty: TaskDifficulty = .medium, length: Int? = nil, settings: HeadPathSettings? = nil,
    timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> HeadPathTask {
    var waypoints = [Int.random(in: 0..<directions, using: &generator)]
    let count = length ?? (difficulty == .hard ? 10 : 8)
    guard lengths.contains(count) else { throw TaskError(.outOfRange, "waypoints") }
    while waypoints.count < count {
      let step = Int.random(in: 1..<directions, using: &generator)
      waypoints.append((waypoints[waypoints.count - 1] + step) % directions)
    }
    return try HeadPathTask(waypoints, isChosen: true, difficulty, settings, timeout)
  }

  private init(
    _ waypoints: [Int], isChosen: Bool, _ difficulty: TaskDifficulty, _ settings: HeadPathSettings?,
    _ timeout: Interval?
  ) throws(TaskError) {
    guard Self.lengths.contains(waypoints.count) else { throw TaskError(.outOfRange, "waypoints") }
    var last = -1
    for waypoint in waypoints {
      guard (0..<Self.directions).contains(waypoint), waypoint != last else {
        throw TaskError(.badPath, "waypoints")
      }
      last = waypoint
    }
    self.waypoints = waypoints
    self.isChosen = isChosen
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 4 * Double(waypoints.count)))
  }

  /// log₂ of the number of paths this one was chosen from; 0 for a fixed path.
  public var bitsOfChoice: Double {
    guard isChosen else { return 0 }
    return Double.log2(Double(Self.directions))
      + Double(waypoints.count - 1) * Double.log2(Double(Self.directions - 1))
  }
}

/// Settings for displaying and evaluating a head path. The initializer validates every value.
///
/// The waypoints lie on an ellipse around the rest pose. Distances are in units of its radii: one radius is `yawRadius` degrees sideways
/// or `pitchRadius` degrees up or down, and neighboring waypoints are 0.77 apart.
public struct HeadPathSettings: Hashable, Sendable {
  /// Horizontal radius of the ellipse in degrees, 5…45.
  public let yawRadius: Float
  /// Vertical radius of the ellipse in degrees, 3…30.
  public let pitchRadius: Float
  /// Time in which the target travels one radius, 0.1…5 s.
  public let glide: Interval
  /// Maximum distance at which a waypoint counts as reached, 0.1…0.38: less than half the distance between neighbors.
  public let capture: Float
  /// Time the head must stay at a waypoint, in at least two samples, 0…2 s.
  public let dwell: Interval
  /// Maximum distance from the drawn line, `capture`…1.
  public let corridor: Float
  /// Tolerated time beyond the corridor on each leg, 0…5 s.
  public let stray: Interval
  /// Minimum time from the start of a leg to its waypoint, 0…2 s: no one can reach a waypoint before seeing it.
  public let shortestLeg: Interval
  /// Maximum time for a leg beyond the target's own travel time, 0.5…30 s.
  public let lag: Interval

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    yawRadius: Float = 18, pitchRadius: Float = 11, glide: Interval = .milliseconds(650), capture: Float = 0.36,
    dwell: Interval = .milliseconds(100), corridor: Float = 0.5, stray: Interval = .milliseconds(500),
    shortestLeg: Interval = .milliseconds(250), lag: Interval = .seconds(4)
  ) {
    guard (5...45).contains(yawRadius), (3...30).contains(pitchRadius),
      (Interval.milliseconds(100)...Interval.seconds(5)).contains(glide), (0.1...0.38).contains(capture),
      (Interval.zero...Interval.seconds(2)).contains(dwell), (capture...1).contains(corridor),
      (Interval.zero...Interval.seconds(5)).contains(stray),
      (Interval.zero...Interval.seconds(2)).contains(shortestLeg),
      (Interval.milliseconds(500)...Interval.seconds(30)).contains(lag)
    else { return nil }
    self.yawRadius = yawRadius
    self.pitchRadius = pitchRadius
    self.glide = glide
    self.capture = capture
    self.dwell = dwell
    self.corridor = corridor
    self.stray = stray
    self.shortestLeg = shortestLeg
    self.lag = lag
  }

  /// Settings of the paths of ``AssuranceLevel``: a fast target that the head may follow with a lag, and capture
  /// distances small enough that a head moving between two waypoints is not captured at a third.
  static let brisk: HeadPathSettings = {
    let settings = HeadPathSettings(glide: .milliseconds(300), capture: 0.33, dwell: .milliseconds(130))
    guard let settings else { preconditionFailure("the values are in their ranges") }
    return settings
  }()

  /// Returns the settings for a difficulty. Easy: slow, small, and tolerant; hard: fast and narrow.
  public static func standard(_ difficulty: TaskDifficulty) -> HeadPathSettings {
    let settings =
      switch difficulty {
      case .easy:
        HeadPathSettings(
          yawRadius: 16, pitchRadius: 10, glide: .milliseconds(850), capture: 0.38, corridor: 0.55,
          stray: .milliseconds(800), lag: .seconds(6))
      case .medium: HeadPathSettings()
      case .hard:
        HeadPathSettings(
          glide: .milliseconds(550), capture: 0.33, corridor: 0.45, stray: .milliseconds(350), lag: .seconds(3))
      }
    guard let settings else { preconditionFailure("the defaults are in their own ranges") }
    return settings
  }
}
