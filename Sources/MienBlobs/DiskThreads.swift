internal import Dispatch

/// Threads that may wait for the disk, apart from those that all other tasks share.
///
/// A task that takes an upload stays on one of them from the network's bytes to the file: bytes that another core has in its
/// cache cost more to fetch than to hash or to encrypt.
final class DiskThreads: TaskExecutor {
  private static let shared = DiskThreads()

  private let queue = DispatchQueue(label: "mien.disk", attributes: .concurrent)
  private let mark = DispatchSpecificKey<Bool>()

  private init() { queue.setSpecific(key: mark, value: true) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// True where code may wait for the disk as it is.
  static var isHere: Bool { DispatchQueue.getSpecific(key: shared.mark) == true }

  /// Does work on such a thread; it may go on on another one after each wait.
  static func run<Value>(_ work: () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(shared) {
      // The preference is heeded when a wait is over.
      await withCheckedContinuation { done in shared.queue.async { done.resume() } }
      return try await work()
    }
  }

  /// Does what waits for the disk: here when that may be, else on such a thread.
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if isHere { return try work() }
    return try await withCheckedThrowingContinuation { done in
      shared.queue.async { done.resume(with: Result(catching: work)) }
    }
  }
}
