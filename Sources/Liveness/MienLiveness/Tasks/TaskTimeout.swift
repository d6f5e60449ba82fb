internal import MienCore

/// Valid range of every task's timeout.
enum TaskTimeout {
  static let range = Interval.seconds(1)...Interval.seconds(300)

  /// Returns the requested timeout, or the task's default if none is requested.
  ///
  /// - Throws: ``TaskError`` if the requested timeout is out of range.
  static func checked(_ asked: Interval?, else own: Interval) throws(TaskError) -> Interval {
    guard let asked else { return own }
    guard range.contains(asked) else { throw TaskError(.outOfRange, "timeout") }
    return asked
  }
}
