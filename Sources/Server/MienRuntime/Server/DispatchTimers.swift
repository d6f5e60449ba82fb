internal import Dispatch

/// Creates the file descriptors that Dispatch would otherwise allocate on first use.
///
/// Dispatch terminates the process if it cannot create one: it creates a timer per clock when the first work item waits
/// on that clock, which under load may be a moment when no descriptor is available.
enum DispatchTimers {
  /// Waits briefly on each clock. Call it once at startup, before connections are accepted.
  static func prepare() async {
    let queue = DispatchQueue.global()
    let moment = DispatchTimeInterval.milliseconds(1)
    await withCheckedContinuation { done in queue.asyncAfter(deadline: .now() + moment) { done.resume() } }
    await withCheckedContinuation { done in queue.asyncAfter(wallDeadline: .now() + moment) { done.resume() } }
    try? await Task.sleep(for: .milliseconds(1), clock: .continuous)
    try? await Task.sleep(for: .milliseconds(1), clock: .suspending)
  }
}
