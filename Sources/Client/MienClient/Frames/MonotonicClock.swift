internal import Foundation
public import MienCore

/// The clock of a check on the device; a test has its own.
public protocol ClientClock: Sendable {
  /// The time on a monotonic clock of any origin.
  func now() -> MonotonicInstant
  /// - Throws: `CancellationError`.
  func sleep(for interval: Interval) async throws
}

/// The device's monotonic clock, which goes on while the device sleeps. With the name of the app's instance the one
/// place of this room where time and chance come in.
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

  /// A random name for one instance of an app.
  public static func clientName() -> String { UUID().uuidString }

  /// The device's own chance.
  public static func randomness() -> any RandomNumberGenerator & Sendable { SystemRandomNumberGenerator() }
}
