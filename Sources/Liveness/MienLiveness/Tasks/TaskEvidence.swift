public import MienCore

/// Evidence on which a task was evaluated.
public struct TaskEvidence: Hashable, Sendable {
  public let kind: TaskKind
  /// Events in order; at most 128.
  public let events: [TaskEvent]
  /// Number of processed samples, and number of samples with an evaluated face.
  public let samples: Int
  public let faces: Int
  /// Native measure of the task, defined by ``TaskStateMachine/finding``; `nil` if there is none yet.
  public let native: Double?
  /// Time from the start of tracking to the verdict, or to the last sample so far.
  public let duration: Interval
  /// Angles of a head turn; `nil` for other tasks.
  public let turn: HeadTurnEvidence?
}

extension TaskEvidence: CustomStringConvertible, CustomReflectable {
  public var description: String { "TaskEvidence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
