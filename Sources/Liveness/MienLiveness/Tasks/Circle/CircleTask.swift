public import MienCore

/// Task to describe a circle with the head.
public struct CircleTask: Hashable, Sendable {
  /// Direction of the circle as subjects see themselves in a mirror.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Up, to the subject's right, down, to the subject's left.
    case clockwise
    case anticlockwise
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
      difficulty == .easy ? nil : Bool.random(using: &generator) ? .clockwise : .anticlockwise
    return try CircleTask(direction: direction, difficulty: difficulty, timeout: timeout)
  }
}
