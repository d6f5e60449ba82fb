internal import NIOCore
internal import NIOPosix
public import ServiceLifecycle

/// Runs an HTTP server so that it accepts connections on an event loop, even while all threads for requests are busy.
public struct EventLoopService<Base: Service>: Service {
  private let base: Base

  /// - Parameter base: the application; `LimitedHTTPChannel` moves its requests to the threads of the concurrent
  ///   executor.
  public init(_ base: Base) { self.base = base }

  public func run() async throws {
    let executor = EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.any())
    try await withTaskExecutorPreference(executor) { try await base.run() }
  }
}

/// Runs tasks on the thread of an event loop, in the order in which they are enqueued.
final class EventLoopTaskExecutor: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
