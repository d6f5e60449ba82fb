public import MienCore

/// Describe a circle with the head.
public struct CircleTask: Hashable, Sendable {
  /// Which way round, as the person sees themselves in a mirror.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Up, to the subject's right, down, to the subject's left.
    case clockwise
    case anticlockwise
  }

  /// nil: either way will do.
  public let direction: Direction?
  public let difficulty: TaskDifficulty
  public let settings: CircleSettings
  /// 1…300 s.
  public let timeout: Interval

  /// - Throws: ``TaskError`` with the option `timeout` when it is out of range.
  public init(
    direction: Direction? = nil, difficulty: TaskDifficulty = .medium, settings: CircleSettings? = nil,
    timeout: Interval? = nil
  ) throws(TaskError) {
    self.direction = direction
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(20))
  }

  /// A circle whose direction is chosen by chance; an easy one may go either way.
  public static func random(
    difficulty: TaskDifficulty = .medium, timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> CircleTask {
    let direction: Direction? =
      difficulty == .easy ? nil : Bool.random(using: &generator) ? .clockwise : .anticlockwise
    return try CircleTask(direction: direction, difficulty: difficulty, timeout: timeout)
  }
}
