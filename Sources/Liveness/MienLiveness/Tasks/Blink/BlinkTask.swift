public import MienCore

/// Task to blink a number of times.
public struct BlinkTask: Hashable, Sendable {
  /// Number of blinks, 1…20; `maxBlinks` in the public API.
  public let blinks: Int
  public let difficulty: TaskDifficulty
  public let settings: BlinkSettings
  /// Time limit, 1…300 s.
  public let timeout: Interval
  /// Number of counts this one was chosen from; 1 for a fixed count.
  let choices: Int

  /// Creates a task with a fixed number of blinks.
  ///
  /// - Throws: ``TaskError`` with the option `maxBlinks` or `timeout` if one is out of range.
  public init(
    blinks: Int = 5, difficulty: TaskDifficulty = .medium, settings: BlinkSettings? = nil, timeout: Interval? = nil
  ) throws(TaskError) {
    try self.init(blinks: blinks, choices: 1, difficulty, settings, timeout)
  }

  /// Returns a task with a random number of blinks from 2 (1 if `maxBlinks` is 1) up to `maxBlinks`.
  public static func random(
    maxBlinks: Int = 5, difficulty: TaskDifficulty = .medium, timeout: Interval? = nil,
    using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> BlinkTask {
    guard (1...20).contains(maxBlinks) else { throw TaskError(.outOfRange, "maxBlinks") }
    let range = min(2, maxBlinks)...maxBlinks
    return try BlinkTask(
      blinks: Int.random(in: range, using: &generator), choices: range.count, difficulty, nil, timeout)
  }

  private init(
    blinks: Int, choices: Int, _ difficulty: TaskDifficulty, _ settings: BlinkSettings?, _ timeout: Interval?
  ) throws(TaskError) {
    guard (1...20).contains(blinks) else { throw TaskError(.outOfRange, "maxBlinks") }
    self.blinks = blinks
    self.choices = choices
    self.difficulty = difficulty
    self.settings = settings ?? .standard(difficulty)
    self.timeout = try TaskTimeout.checked(timeout, else: .seconds(10 + 2 * Double(blinks)))
  }
}
