internal import Foundation
public import MienCore

/// Clock used by a check; replaceable in tests.
public protocol ClientClock: Sendable {
  /// Returns the current time of a monotonic clock with an arbitrary origin.
  func now() -> MonotonicInstant
  /// - Throws: `CancellationError`.
  func sleep(for interval: Interval) async throws
}

/// Monotonic clock of the device, which continues while the device sleeps. Together with ``clientName()`` and
/// ``randomness()`` the only source of time and randomness in this module.
public struct MonotonicClock: ClientClock {
  private static let origin = ContinuousClock.now

  public init() {}

  public func now() -> MonotonicInstant {
    let (seconds, attoseconds) = Self.origin.duration(to: .now).components
    return MonotonicInstant(nanoseconds: seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
  }

  public func sleep(for interval: Interval) async throws {
    try await Task.sleep(for: .nanoseconds(max(0, interval.nanoseconds)))
  }

  /// Returns a random name for one app instance.
  public static func clientName() -> String { UUID().uuidString }

  /// Returns the system's random number generator.
  public static func randomness() -> any RandomNumberGenerator & Sendable { SystemRandomNumberGenerator() }
}
