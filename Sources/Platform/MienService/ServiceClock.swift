public import MienCore

/// The service's two clocks; the composition root hands in the real ones, tests hand in their own.
public protocol ServiceClock: Sendable {
  /// A clock that never goes back; its origin is the process's own.
  func now() -> MonotonicInstant
  /// The time of day, for records and expiry.
  func timeOfDay() -> UnixTime
}
