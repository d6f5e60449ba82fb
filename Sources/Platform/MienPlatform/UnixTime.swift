public import MienCore

/// A time of day in whole milliseconds since 1970-01-01T00:00:00Z.
public struct UnixTime: Hashable, Comparable, Sendable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Returns this time plus `interval`.
  public func adding(_ interval: Interval) -> UnixTime {
    UnixTime(milliseconds: milliseconds &+ interval.nanoseconds / 1_000_000)
  }

  public static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }
}

/// The clocks of the service; injected by the composition root, replaced in tests.
public protocol ServiceClock: Sendable {
  /// Returns the time of a monotonic clock with a process-specific origin.
  func now() -> MonotonicInstant
  /// Returns the time of day, for records and expiry.
  func timeOfDay() -> UnixTime
  /// - Throws: `CancellationError`.
  func sleep(for interval: Interval) async throws
}
