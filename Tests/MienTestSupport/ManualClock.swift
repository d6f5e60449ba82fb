public import MienCore
public import MienService
internal import Synchronization

/// A clock that stands until it is moved.
public final class ManualClock: ServiceClock {
  private let time: Mutex<MonotonicInstant>

  public init(at time: MonotonicInstant = .zero) {
    self.time = Mutex(time)
  }

  public func now() -> MonotonicInstant { time.withLock { $0 } }

  /// The time of day follows: 2026-01-01 and what has passed since the origin.
  public func timeOfDay() -> UnixTime {
    UnixTime(milliseconds: 1_767_225_600_000 + now().nanoseconds / 1_000_000)
  }

  public func advance(by interval: Interval) {
    time.withLock { $0 = $0 + interval }
  }
}
