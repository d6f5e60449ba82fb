internal import NIOCore
internal import NIOPosix
public import ServiceLifecycle

/// Runs an HTTP server so that it accepts connections on an event loop, even while all threads for requests are busy.
public struct EventLoopService<Base: Service>: Service {
  private let base: Base

  /// - Parameter base: the application; ``LimitedHTTPChannel`` moves its requests to the threads of the concurrent
  ///   executor.
  public init(_ base: Base) { self.base = base }

  public func run() async throws {
    let executor = EventLoopTaskExecutor(MultiThreadedEventLoopGroup.singleton.any())
    try await withTaskExecutorPreference(executor) { try await base.run() }
  }
}
