/// Task: move the head in a circle.
public struct CompleteTheCircleTask: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil) {
    self.difficulty = difficulty
    self.timeout = timeout
  }
}
