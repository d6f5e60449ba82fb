internal import MienCore

/// Limits how long the frames of one session may keep the models, all together.
struct ProcessingBudget: Sendable {
  /// An honest session of a minute with twelve frames a second uses half of it on a slow machine.
  static let standard: Interval = .seconds(90)

  private var left: Interval

  init(_ budget: Interval = Self.standard) { left = budget }

  /// Refuses a frame of a session that has used its time.
  ///
  /// - Throws: ``ServiceError`` with `tooManyRequests`.
  func admit() throws {
    guard left > .zero else {
      throw ServiceError(
        .tooManyRequests,
        "The frames of this session took all the processing time that the server gives one session. "
          + "Start a new one and send smaller pictures.")
    }
  }

  /// Takes off what a frame took.
  mutating func use(_ took: Interval) {
    left = Interval(nanoseconds: left.nanoseconds - max(0, took.nanoseconds))
  }
}
