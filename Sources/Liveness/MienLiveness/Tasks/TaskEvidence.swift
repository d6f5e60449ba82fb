public import MienCore

/// What a task was judged on.
public struct TaskEvidence: Hashable, Sendable {
  public let kind: TaskKind
  /// What counted, in order; at most 128.
  public let events: [TaskEvent]
  /// How many samples were told of, and how many of them showed a face that was judged.
  public let samples: Int
  public let faces: Int
  /// The task's own measure; ``TaskStateMachine/finding`` says which. nil when there is none yet.
  public let native: Double?
  /// From the begin of tracking to the verdict, or to the last sample so far.
  public let duration: Interval
  /// The angles of a head turn; nil for other tasks.
  public let turn: HeadTurnEvidence?
}

extension TaskEvidence: CustomStringConvertible, CustomReflectable {
  public var description: String { "TaskEvidence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
