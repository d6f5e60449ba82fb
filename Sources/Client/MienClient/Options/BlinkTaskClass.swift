/// A number of blinks.
public struct BlinkTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Milliseconds after which the task fails; nil leaves it to the server.
  public var timeout: Double?
  /// The most blinks that are asked.
  public var maxBlinks: Int

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil, maxBlinks: Int = 5) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxBlinks = maxBlinks
  }
}
