public import MienCore
public import MienPlatform
internal import Synchronization

/// Clock that only advances when requested.
public final class ManualClock: ServiceClock {
  private struct State {
    var now: MonotonicInstant
    var sleepers: [(until: MonotonicInstant, end: AsyncStream<Never>.Continuation)] = []
  }

  private let state: Mutex<State>
  private let jumps = Mutex(Interval.zero)

  public init(at time: MonotonicInstant = .zero) {
    state = Mutex(State(now: time))
  }

  public func now() -> MonotonicInstant { state.withLock { $0.now } }

  /// Returns the time of day: 2026-01-01 plus the time since the origin and the jumps.
  public func timeOfDay() -> UnixTime {
    let passed = now().nanoseconds + jumps.withLock { $0.nanoseconds }
    return UnixTime(milliseconds: 1_767_225_600_000 + passed / 1_000_000)
  }

  /// Changes the time of day as setting the clock does; `interval` may be negative.
  public func jump(by interval: Interval) {
    jumps.withLock { $0 = Interval(nanoseconds: $0.nanoseconds + interval.nanoseconds) }
  }

  /// Waits until the clock has advanced by `interval`.
  public func sleep(for interval: Interval) async throws {
    let (stream, end) = AsyncStream<Never>.makeStream()
    state.withLock { $0.sleepers.append(($0.now + interval, end)) }
    for await _ in stream {}
    try Task.checkCancellation()
  }

  public func advance(by interval: Interval) {
    let due = state.withLock { state in
      state.now = state.now + interval
      let now = state.now
      let due = state.sleepers.filter { $0.until <= now }
      state.sleepers.removeAll { $0.until <= now }
      return due
    }
    for sleeper in due { sleeper.end.finish() }
  }
}
