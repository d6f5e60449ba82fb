public import MienCore
public import MienPlatform
internal import Synchronization

/// Clock that only advances when requested.
public final class ManualClock: ServiceClock {
  private let time: Mutex<MonotonicInstant>

  public init(at time: MonotonicInstant = .zero) {
    self.time = Mutex(time)
  }

  public func now() -> MonotonicInstant { time.withLock { $0 } }

  /// Returns the time of day: 2026-01-01 plus the time since the origin.
  public func timeOfDay() -> UnixTime {
    UnixTime(milliseconds: 1_767_225_600_000 + now().nanoseconds / 1_000_000)
  }

  public func advance(by interval: Interval) {
    time.withLock { $0 = $0 + interval }
  }
}
