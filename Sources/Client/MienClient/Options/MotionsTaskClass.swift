/// Nods, blinks and openings of the mouth, in an order that the server chooses.
public struct MotionsTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Milliseconds after which the task fails; nil leaves it to the server.
  public var timeout: Double?
  /// The most nods that are asked.
  public var maxNods: Int
  /// The most blinks that are asked.
  public var maxBlinks: Int

  public init(
    difficulty: TaskDifficulty = .medium, timeout: Double? = nil, maxNods: Int = 5, maxBlinks: Int = 5
  ) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxNods = maxNods
    self.maxBlinks = maxBlinks
  }
}
