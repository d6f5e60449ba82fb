import Dispatch

/// Creates the descriptors that Dispatch makes when they are first needed.
///
/// Dispatch ends the process when it cannot create one: it makes a timer for each clock when the first work waits for that clock, which
/// under load may be the moment when no descriptor is free.
enum DispatchTimers {
  /// Waits a moment on each clock. Call it once at the start, before connections are accepted.
  static func prepare() async {
    let queue = DispatchQueue.global()
    let moment = DispatchTimeInterval.milliseconds(1)
    await withCheckedContinuation { done in queue.asyncAfter(deadline: .now() + moment) { done.resume() } }
    await withCheckedContinuation { done in queue.asyncAfter(wallDeadline: .now() + moment) { done.resume() } }
    try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
    try? await Task.sleep(for: .milliseconds(1), clock: .suspending)
  }
}
