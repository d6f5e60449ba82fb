internal import Dispatch

/// Runs an actor on its own thread, so that its calls may block.
public final class SerialQueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// - Parameter label: the thread's name, shown by process inspection tools.
  public init(label: String) { queue = DispatchQueue(label: label) }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
