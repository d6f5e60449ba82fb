public import MienCore
internal import Synchronization

/// Wakes the worker of a queue when work is added, so that it need not poll the queue several times a second.
///
/// A worker still polls occasionally, because other servers that share the store add to the queue, too. Only one worker
/// waits at a time.
public final class WorkSignal: Sendable {
  private struct State {
    var isRaised = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  public init() {}

  /// Wakes the worker, or ends its next wait immediately.
  public func raise() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isRaised = state.waiter == nil
      return state.waiter
    }
    waiter?.resume()
  }

  /// Waits until the signal is raised, but no longer than this time; returns immediately if it was raised since the last wait.
  ///
  /// - Throws: `CancellationError`.
  public func wait(atMost time: Interval, on clock: any ServiceClock) async throws {
    let timer = Task {
      try await clock.sleep(for: time)
      raise()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let mayGo = state.withLock { state in
          guard state.isRaised else {
            state.waiter = continuation
            return false
          }
          state.isRaised = false
          return true
        }
        if mayGo { continuation.resume() }
      }
    } onCancel: {
      raise()
    }
    timer.cancel()
    try Task.checkCancellation()
  }
}
