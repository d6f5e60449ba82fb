/// Task: blink a number of times.
public struct BlinkTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?
  /// Maximum number of blinks.
  public var maxBlinks: Int

  public init(difficulty: TaskDifficulty = .medium, timeout: Double? = nil, maxBlinks: Int = 5) {
    self.difficulty = difficulty
    self.timeout = timeout
    self.maxBlinks = maxBlinks
  }
}
