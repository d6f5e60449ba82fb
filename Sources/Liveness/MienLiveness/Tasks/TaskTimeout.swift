internal import MienCore

/// The range that every task's timeout keeps to.
enum TaskTimeout {
  static let range = Interval.seconds(1)...Interval.seconds(300)

  /// The asked timeout when it is in range, or the task's own when none is asked.
  static func checked(_ asked: Interval?, else own: Interval) throws(TaskError) -> Interval {
    guard let asked else { return own }
    guard range.contains(asked) else { throw TaskError(.outOfRange, "timeout") }
    return asked
  }
}
