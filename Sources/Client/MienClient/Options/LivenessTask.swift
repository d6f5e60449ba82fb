internal import MienAPI

/// Task for the user to perform.
public enum LivenessTask: Hashable, Sendable {
  case completeTheCircle(CompleteTheCircleTask)
  case yesOrNo(YesOrNoTask)
  case motions(MotionsTaskClass)
  case blink(BlinkTaskClass)
  /// Specific to Mien: turn the head to one side and back.
  case headTurn(difficulty: TaskDifficulty = .medium)
  /// Specific to Mien: follow a moving target on a path chosen by the server. Recommended against replay attacks.
  case headPath(difficulty: TaskDifficulty = .medium)
}

/// Task with a timeout.
public struct TaskProperties: Hashable, Sendable {
  public var task: LivenessTask
  /// Timeout in milliseconds; overrides the task's own.
  public var timeout: Double?

  public init(task: LivenessTask, timeout: Double? = nil) {
    self.task = task
    self.timeout = timeout
  }
}
