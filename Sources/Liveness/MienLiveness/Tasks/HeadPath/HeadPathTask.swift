public import MienCore
internal import RealModule

/// Task to follow a target with the nose along a path that the server chose, so that a prerecorded clip shows a different one.
public struct HeadPathTask: Hashable, Sendable {
  /// Number of directions around the rest pose: 0 is the subject's left, 2 is up, 4 is the subject's right, 6 is down.
  public static let directions = 8
  /// Valid numbers of waypoints: with eight there are 8 · 7⁷ ≈ 2²²·⁶ paths.
  public static let lengths = 8...16

  /// Directions of the waypoints in order, without consecutive duplicates; the path starts at the rest pose.
  public let waypoints: [Int]
  public let difficulty: TaskDifficulty
  public let settings: HeadPathSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  let isChosen: Bool

  /// Creates a task with a fixed path.
  ///
  /// - Throws: ``TaskError`` if the length is outside ``lengths`` (a shorter path has less than 20 bits), if a direction is outside 0…7
  ///   or repeated consecutively, or if the timeout is out of range.
  public init(
    waypoints: [Int], difficulty: TaskDifficulty = .medium, settings: HeadPathSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(waypoints, isChosen: false, difficulty, settings, timeout)
  }

  /// Returns a task with a uniformly random path: eight waypoints, or ten if hard.
  public static func random(
    difficulty: TaskDifficulty = .medium, timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> HeadPathTask {
    var waypoints = [Int.random(in: 0..<directions, using: &generator)]
    let count = difficulty == .hard ? 10 : 8
    while waypoints.count < count {
      let step = Int.random(in: 1..<directions, using: &generator)
      waypoints.append((waypoints[waypoints.count - 1] + step) % directions)
    }
    return try HeadPathTask(waypoints, isChosen: true, difficulty, nil, timeout)
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
