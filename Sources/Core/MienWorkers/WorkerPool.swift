internal import Dispatch
internal import Foundation
internal import Synchronization

/// Runs work that keeps a processor busy on a bounded number of threads of its own.
///
/// Swift's tasks share as many threads as there are processors, and the system takes none of them away from a task that calculates: two
/// long decodes there would stop a server of two processors. Decoding, hashing, image analysis, reading scans and passwords run here
/// instead. Jobs start in the order in which they come; callers bound how many of them there are.
public final class WorkerPool: TaskExecutor {
  /// For work on pictures, of all services: one thread for each processor.
  public static let shared = WorkerPool(
    label: "mien.workers", threads: max(1, ProcessInfo.processInfo.activeProcessorCount))
  /// For reading scans, which takes minutes: apart from pictures, which would wait behind it.
  public static let scans = WorkerPool(label: "mien.scan-workers", threads: 2)

  private enum Job {
    case task(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    /// Threads without a job, by number.
    var idle: [Int]
    var waiting: [Job] = []
    /// The first of ``waiting`` that was not taken yet.
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

  /// Serial queues: each gets a thread of its own whenever it has something to do, which a concurrent queue does not promise.
  private let threads: [DispatchQueue]
  private let state: Mutex<State>

  /// - Parameters:
  ///   - label: what the threads are called, for who looks at the process.
  ///   - threads: how many jobs run at a time, at least one.
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

  /// The same for work without errors.
  public func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { done in add(.work { done.resume(returning: work()) }) }
  }

  /// Runs a task and its child tasks on the threads of the pool.
  public func runTask<Value: Sendable>(_ work: @Sendable () async throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(self) {
      // The preference is heeded from the next suspension on.
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
