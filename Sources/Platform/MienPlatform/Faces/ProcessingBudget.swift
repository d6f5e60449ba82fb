package import MienCore

/// Limits the total model time of one session's frames.
package struct ProcessingBudget: Sendable {
  /// A legitimate session of one minute at twelve frames per second uses half of it on a slow machine.
  static let standard: Interval = .seconds(90)

  private var left: Interval

  package init(_ budget: Interval = Self.standard) { left = budget }

  /// Rejects a frame if the session has used up its time.
  ///
  /// - Throws: ``ServiceError`` with `tooManyRequests`.
  package func admit() throws {
    guard left > .zero else {
      throw ServiceError(
        .tooManyRequests,
        "The frames of this session took all the processing time that the server gives one session. "
          + "Start a new one and send smaller pictures.")
    }
  }

  /// Subtracts the processing time of a frame.
  package mutating func use(_ took: Interval) {
    left = Interval(nanoseconds: left.nanoseconds - max(0, took.nanoseconds))
  }
}
