public import MienCore

/// Follow a target with the nose along a path that the server chose: a stored clip knows another one.
public struct HeadPathTask: Hashable, Sendable {
  /// How many directions there are around the rest pose: 0 is the subject's left, 2 is up, 4 the subject's right, 6 down.
  public static let directions = 8
  /// How many waypoints a path may have: with eight the choice is 8 · 7⁷ ≈ 2²²·⁶.
  public static let lengths = 8...16

  /// The directions of the waypoints in order, no two in a row the same; the path begins at the rest pose.
  public let waypoints: [Int]
  public let difficulty: TaskDifficulty
  public let settings: HeadPathSettings
  /// 1…300 s.
  public let timeout: Interval
  let isChosen: Bool

  /// A fixed path.
  ///
  /// - Throws: ``TaskError`` for a length outside ``lengths`` (a shorter path has less than 20 bits), a direction
  ///   outside 0…7 or the same one twice in a row, a bad timeout.
  public init(
    waypoints: [Int], difficulty: TaskDifficulty = .medium, settings: HeadPathSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(waypoints, isChosen: false, difficulty, settings, timeout)
  }

  /// A path of chance, all being equally likely: eight waypoints, ten when hard.
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

  /// log₂ of how many paths this one was chosen from; 0 when it was fixed.
  public var bitsOfChoice: Double {
    guard isChosen else { return 0 }
    return binaryLogarithm(Double(Self.directions))
      + Double(waypoints.count - 1) * binaryLogarithm(Double(Self.directions - 1))
  }
}
