internal import Dispatch
internal import Synchronization

/// Threads that may wait for the disk, apart from those that all other tasks share.
///
/// A task that takes an upload stays on one of them from the network's bytes to the file: bytes that another core has in its
/// cache cost more to fetch than to hash or to encrypt. While its thread waits for the disk the processors are the others': a
/// concurrent queue has as many threads as there are processors, and these would all be waiting, so each is a queue of its own.
enum FileIOThreadPool {
  /// Where there is work for more than these, some share one.
  private static let most = 32
  private static let threads = Mutex([(thread: FileIOThread, users: Int)]())

  /// True where code may wait for the disk as it is.
  static var isHere: Bool { FileIOThread.isHere }

  /// Does work on such a thread; it may go on on another one after each wait.
  static func run<Value>(_ work: () async throws -> Value) async throws -> Value {
    let thread = take()
    defer { giveBack(thread) }
    return try await withTaskExecutorPreference(thread) {
      // The preference is heeded when a wait is over.
      await withCheckedContinuation { done in thread.do { done.resume() } }
      return try await work()
    }
  }

  /// Does what waits for the disk: here when that may be, else on such a thread.
  static func wait<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    if isHere { return try work() }
    let thread = take()
    defer { giveBack(thread) }
    return try await withCheckedThrowingContinuation { done in
      thread.do { done.resume(with: Result(catching: work)) }
    }
  }

  /// The one with the least to do.
  private static func take() -> FileIOThread {
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

  private static func giveBack(_ thread: FileIOThread) {
    threads.withLock { threads in
      if let place = threads.firstIndex(where: { $0.thread === thread }) { threads[place].users -= 1 }
    }
  }
}

/// One of them: does one thing after the other.
private final class FileIOThread: TaskExecutor {
  private static let mark = DispatchSpecificKey<Bool>()

  /// A queue that does one thing after the other gets a thread whenever it has something to do.
  private let queue = DispatchQueue(label: "mien.disk")

  init() { queue.setSpecific(key: Self.mark, value: true) }

  static var isHere: Bool { DispatchQueue.getSpecific(key: mark) == true }

  func `do`(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
