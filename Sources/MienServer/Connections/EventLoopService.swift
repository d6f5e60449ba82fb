internal import NIOCore
internal import NIOPosix
public import ServiceLifecycle

/// Runs a server's task that accepts connections on an event loop, which takes no other work: connections are accepted however busy the
/// threads are that requests are worked on.
public struct EventLoopService<Base: Service>: Service {
  private let base: Base

  /// - Parameter base: the application; its requests choose threads of their own.
  public init(_ base: Base) { self.base = base }

  public func run() async throws {
    let executor = LoopExecutor(MultiThreadedEventLoopGroup.singleton.any())
    try await withTaskExecutorPreference(executor) { try await base.run() }
  }
}
