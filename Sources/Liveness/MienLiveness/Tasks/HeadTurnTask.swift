public import MienCore

/// Task to turn the head to a side and back, evaluated by ``HeadTurnStateMachine``.
public struct HeadTurnTask: Hashable, Sendable {
  public let side: Side
  public let settings: HeadTurnSettings
  let isChosen: Bool

  public init(side: Side, settings: HeadTurnSettings = .standard) {
    self.side = side
    self.settings = settings
    isChosen = false
  }

  init(side: Side, settings: HeadTurnSettings, isChosen: Bool) {
    self.side = side
    self.settings = settings
    self.isChosen = isChosen
  }

  /// Returns a task with a random side.
  ///
  /// - Throws: ``TaskError`` with the option `timeout` if it is outside 1…120 s.
  public static func random(
    difficulty: TaskDifficulty = .medium, timeout: Interval? = nil, using generator: inout some RandomNumberGenerator
  ) throws(TaskError) -> HeadTurnTask {
    let settings = try settings(difficulty, timeout: timeout)
    return HeadTurnTask(side: HeadTurnChallenge.choose(using: &generator), settings: settings, isChosen: true)
  }

  /// Returns the settings for a difficulty. Easy: a smaller turn; hard: a larger turn with less hesitation.
  ///
  /// - Throws: ``TaskError`` with the option `timeout` if it is outside 1…120 s.
  public static func settings(_ difficulty: TaskDifficulty, timeout: Interval? = nil) throws(TaskError)
    -> HeadTurnSettings
  {
    let limit = timeout ?? HeadTurnSettings.standard.timeLimit
    let settings =
      switch difficulty {
      case .easy: HeadTurnSettings(farThreshold: 21, timeLimit: limit)
      case .medium: HeadTurnSettings(timeLimit: limit)
      case .hard: HeadTurnSettings(farThreshold: 32, timeLimit: limit, hesitation: 0.15)
      }
    guard let settings else { throw TaskError(.outOfRange, "timeout") }
    return settings
  }
}
