public import MienCore

/// The clocks of the service; injected by the composition root, replaced in tests.
public protocol ServiceClock: Sendable {
  /// Returns the time of a monotonic clock with a process-specific origin.
  func now() -> MonotonicInstant
  /// Returns the time of day, for records and expiry.
  func timeOfDay() -> UnixTime
}
