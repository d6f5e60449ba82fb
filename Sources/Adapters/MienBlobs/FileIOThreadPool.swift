internal import Dispatch
internal import Synchronization

/// Threads that may block on the disk, separate from the threads shared by all other tasks.
///
/// An upload task stays on one of them from the network's bytes to the file: bytes in another core's cache cost more to fetch than to
/// hash or encrypt. The threads are separate serial queues, because a concurrent queue has only as many threads as there are processors,
/// and all of them would block while waiting for the disk.
final class FileIOThreadPool: Sendable {
  /// Pool of the process.
  static let shared = FileIOThreadPool()

  /// Maximum number of threads; beyond it, tasks share threads.
  private let most = 32
  private let threads = Mutex([(thread: FileIOThread, users: Int)]())

  /// `true` on a thread that may block on the disk.
  static var isCurrentThread: Bool { FileIOThread.isCurrent }

  /// Runs work on such a thread; it may continue on another one after each suspension.
  func run<Value>(_ work: () async throws -> Value) async throws -> Value {
    let thread = take()
    defer { release(thread) }
    return try await withTaskExecutorPreference(thread) {
      // The executor preference takes effect after a suspension.
      await withCheckedContinuation { done in thread.do { done.resume() } }
      return try await work()
    }
  }

  /// Runs blocking work: on the current thread if it may block, otherwise on a thread of the pool.
  func wait<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if Self.isCurrentThread { return try work() }
    let thread = take()
    defer { release(thread) }
    return try await withCheckedThrowingContinuation { done in
      thread.do { done.resume(with: Result(catching: work)) }
    }
  }

  /// Returns the thread with the fewest users.
  private func take() -> FileIOThread {
    threads.withLock { threads in
      var place = threads.indices.min { threads[$0].users < threads[$1].users } ?? 0
      if threads.count < most, threads.isEmpty || threads[place].users > 0 {
        place = threads.count
        threads.append((FileIOThread(), 0))
      }
      threads[place].users += 1
      return threads[place].thread
    }
  }

  private func release(_ thread: FileIOThread) {
    threads.withLock { threads in
      if let place = threads.firstIndex(where: { $0.thread === thread }) { threads[place].users -= 1 }
    }
  }
}

/// One thread of the pool, which runs jobs serially.
private final class FileIOThread: TaskExecutor {
  private static let mark = DispatchSpecificKey<Bool>()

  /// Serial queue, to which the system assigns a thread whenever it has work.
  private let queue = DispatchQueue(label: "mien.disk")

  init() { queue.setSpecific(key: Self.mark, value: true) }

  static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  func `do`(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
