public import MienModel

/// One thing that counted while a task was judged.
public struct TaskEvent: Hashable, Sendable {
  public enum What: Hashable, Sendable {
    /// The rest pose was found.
    case settled
    /// A question was answered; true for yes.
    case answered(Bool)
    case motion(Motion)
    /// The waypoint with this index was reached.
    case waypoint(Int)
  }

  /// Since the task began.
  public let after: Interval
  public let what: What
}

/// The events of a task, bounded, with room reserved when the task begins.
struct TaskEvents: Hashable, Sendable {
  static let most = 128

  private var began: Instant
  private(set) var list: [TaskEvent] = []

  init(began: Instant) {
    self.began = began
    list.reserveCapacity(Self.most)
  }

  mutating func add(_ what: TaskEvent.What, at: Instant) {
    guard list.count < Self.most else { return }
    list.append(TaskEvent(after: at.since(began), what: what))
  }
}

extension TaskEvents: TapedValue {
  static var blank: TaskEvents { TaskEvents(began: .zero) }
  mutating func pass(over tape: inout StateTape) {
    tape.pass(&began)
    tape.pass(&list)
  }
}
