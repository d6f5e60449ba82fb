internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs CPU-bound work on a bounded number of dedicated threads.
///
/// Swift's concurrency pool has as many threads as there are processors and does not preempt a computing task: two long
/// decodes there would block a server with two processors. Decoding, hashing, image analysis, scan reading and password
/// hashing run here instead. Jobs start in submission order; callers limit the number of pending jobs.
public final class WorkerPool: TaskExecutor {
  /// The pool for image work of all services: one thread per processor.
  public static let shared = WorkerPool(
    label: "mien.workers", threads: max(1, ProcessInfo.processInfo.activeProcessorCount))
  /// The pool for reading scans, which takes minutes: separate, so that image work does not wait behind it.
  public static let scans = WorkerPool(label: "mien.scan-workers", threads: 2)

  private enum Job {
    case task(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    /// Indices of idle threads.
    var idle: [Int]
    var waiting: [Job] = []
    /// Index of the first job in ``waiting`` that has not been taken.
    var next = 0

    mutating func take() -> Job? {
      guard next < waiting.count else { return nil }
      defer {
        next += 1
        if next == waiting.count {
          waiting.removeAll(keepingCapacity: next <= 1024)
          next = 0
        }
      }
      return waiting[next]
    }
  }

  /// Serial queues: each gets its own thread whenever it has work, which a concurrent queue does not guarantee.
  private let threads: [DispatchQueue]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - label: prefix of the thread names, shown by process inspection tools.
  ///   - threads: number of concurrent jobs, at least one.
  public init(label: String, threads: Int) {
    let count = max(threads, 1)
    self.threads = (0..<count).map { DispatchQueue(label: "\(label).\($0)") }
    state = Mutex(State(idle: Array((0..<count).reversed())))
  }

  /// Runs `work` on a thread of the pool.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { done in
      add(.work { done.resume(with: Result(catching: work)) })
    }
  }

  /// Runs non-throwing `work` on a thread of the pool.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in add(.work { done.resume(returning: work()) }) }
  }

  /// Runs a task and its child tasks on the threads of the pool.
  public func runTask<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(self) {
      // The executor preference takes effect at the next suspension.
      await withCheckedContinuation { done in add(.work { done.resume() }) }
      return try await work()
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) { add(.task(UnownedJob(job))) }

  private func add(_ job: Job) {
    let thread = state.withLock { state in
      state.waiting.append(job)
      return state.idle.popLast()
    }
    if let thread { threads[thread].async { self.drain(thread) } }
  }

  private func drain(_ thread: Int) {
    while true {
      let job = state.withLock { state in
        let job = state.take()
        if job == nil { state.idle.append(thread) }
        return job
      }
      switch job {
      case .task(let job): unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      case .work(let work): work()
      case nil: return
      }
    }
  }
}
