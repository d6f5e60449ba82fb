import MienCore
import MienPlatform
import Synchronization
import Testing

@Suite struct `Signal for a queue's worker` {
  @Test func `a signal raised before a wait ends only that wait immediately`() async throws {
    let signal = WorkSignal()
    signal.raise()
    signal.raise()
    try await signal.wait(atMost: .seconds(1), on: StandingClock())
    let second = Task { try await signal.wait(atMost: .seconds(1), on: StandingClock()) }
    signal.raise()
    try await second.value
  }

  @Test func `the queue is polled after each of many signals`() async throws {
    let signal = WorkSignal()
    let queue = Queue()
    let worker = Task {
      var seen = 0
      while seen < 200 {
        try await signal.wait(atMost: .seconds(1), on: StandingClock())
        seen += queue.take()
      }
    }
    for number in 0..<200 {
      queue.add()
      signal.raise()
      if number.isMultiple(of: 3) { await Task.yield() }
    }
    try await worker.value
  }

  @Test func `a wait ends after its time`() async throws {
    try await WorkSignal().wait(atMost: .seconds(36_000), on: InstantClock())
  }

  @Test func `a canceled wait throws`() async throws {
    let signal = WorkSignal()
    let wait = Task { try await signal.wait(atMost: .seconds(1), on: StandingClock()) }
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
  }
}

/// Sleeps until it is canceled.
private struct StandingClock: ServiceClock {
  func now() -> MonotonicInstant { .zero }
  func timeOfDay() -> UnixTime { UnixTime(milliseconds: 0) }
  func sleep(for interval: Interval) async throws { try await Task.sleep(for: .seconds(36_000)) }
}

/// Never sleeps.
private struct InstantClock: ServiceClock {
  func now() -> MonotonicInstant { .zero }
  func timeOfDay() -> UnixTime { UnixTime(milliseconds: 0) }
  func sleep(for interval: Interval) async throws {}
}

private final class Queue: Sendable {
  private let count = Mutex(0)

  func add() { count.withLock { $0 += 1 } }

  func take() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}
