internal import MienAPI

/// One thing that the person is asked to do.
public enum LivenessTask: Hashable, Sendable {
  case completeTheCircle(CompleteTheCircleTask)
  case yesOrNo(YesOrNoTask)
  case motions(MotionsTaskClass)
  case blink(BlinkTaskClass)
  /// Ours: turns the head to a side and back.
  case headTurn(difficulty: TaskDifficulty = .medium)
  /// Ours: follows a moving target on a path that the server chose; the one to ask for where replays matter.
  case headPath(difficulty: TaskDifficulty = .medium)
}

/// A task with its time limit.
public struct TaskProperties: Hashable, Sendable {
  public var task: LivenessTask
  /// Milliseconds after which the task fails; goes before the task's own.
  public var timeout: Double?

  public init(task: LivenessTask, timeout: Double? = nil) {
    self.task = task
    self.timeout = timeout
  }
}
