public import MienCore
public import MienPlatform
internal import Synchronization

/// Clock that only advances when requested.
public final class ManualClock: ServiceClock {
  private let time: Mutex<MonotonicInstant>
  private let jumps = Mutex(Interval.zero)

  public init(at time: MonotonicInstant = .zero) {
    self.time = Mutex(time)
  }

  public func now() -> MonotonicInstant { time.withLock { $0 } }

  /// Returns the time of day: 2026-01-01 plus the time since the origin and the jumps.
  public func timeOfDay() -> UnixTime {
    let passed = now().nanoseconds + jumps.withLock { $0.nanoseconds }
    return UnixTime(milliseconds: 1_767_225_600_000 + passed / 1_000_000)
  }

  /// Changes the time of day as somebody who sets the clock does; `interval` may be negative.
  public func jump(by interval: Interval) {
    jumps.withLock { $0 = Interval(nanoseconds: $0.nanoseconds + interval.nanoseconds) }
  }

  public func advance(by interval: Interval) {
    time.withLock { $0 = $0 + interval }
  }
}
