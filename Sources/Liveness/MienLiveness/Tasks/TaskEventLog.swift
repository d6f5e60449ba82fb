public import MienCore

/// Event recorded while a task is evaluated.
public struct TaskEvent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// The rest pose was found.
    case settled
    /// A question was answered; `true` for yes.
    case answered(Bool)
    case motion(Motion)
    /// The waypoint with this index was reached.
    case waypoint(Int)
  }

  /// Time since the task began.
  public let after: Interval
  public let what: Kind
}

/// Bounded list of a task's events; capacity is reserved when the task begins.
struct TaskEventLog: Hashable, Sendable {
  static let most = 128

  private var began: MonotonicInstant
  private(set) var list: [TaskEvent] = []

  init(began: MonotonicInstant) {
    self.began = began
    list.reserveCapacity(Self.most)
  }

  mutating func add(_ what: TaskEvent.Kind, at: MonotonicInstant) {
    guard list.count < Self.most else { return }
    list.append(TaskEvent(after: at.since(began), what: what))
  }
}

extension TaskEventLog: BinaryStateValue {
  static var blank: TaskEventLog { TaskEventLog(began: .zero) }
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&began)
    coder.pass(&list)
  }
}

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
