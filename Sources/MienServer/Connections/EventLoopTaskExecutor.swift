internal import MienService
internal import NIOCore
internal import Synchronization

/// Runs tasks on the thread of an event loop, in the order in which they come.
///
/// A request that waits for no thread but this one is answered where its bytes came in: nobody has to be woken for it, and
/// nobody for its reply.
final class LoopExecutor: TaskExecutor {
  let loop: any EventLoop
  /// What was brought together with more that is still to come (``Wakeups``).
  private let waiting = Mutex<[UnownedJob]>([])

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard !loop.inEventLoop, let wakeups = Wakeups.current else {
      return loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    if isFirst { wakeups.add { self.loop.execute { self.runWaiting() } } }
  }

  private func runWaiting() {
    let jobs = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for job in jobs { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
