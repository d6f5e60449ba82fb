internal import NIOCore

/// Runs tasks on the thread of an event loop, in the order in which they come.
///
/// A request that waits for no thread but this one is answered where its bytes came in: nobody has to be woken for it, and
/// nobody for its reply.
final class LoopExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
