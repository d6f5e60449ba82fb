/// The head describes a circle.
public struct CompleteTheCircleTask: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Milliseconds after which the task fails; nil leaves it to the server.
  public var timeout: Double?

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil) {
    self.difficulty = difficulty
    self.timeout = timeout
  }
}
