/// Task: nod, blink and open the mouth, in an order chosen by the server.
public struct MotionsTaskClass: Hashable, Sendable {
  public var difficulty: TaskDifficulty
  /// Timeout of the task in milliseconds; `nil` for the server's default.
  public var timeout: Double?
  /// Maximum number of nods.
  public var maxNods: Int
  /// Maximum number of blinks.
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
