internal import NIOCore
internal import Synchronization

/// The executor of each event loop that was asked for.
final class LoopExecutors: Sendable {
  private let executors = Mutex<[ObjectIdentifier: LoopExecutor]>([:])

  func executor(of loop: any EventLoop) -> LoopExecutor {
    executors.withLock { executors in
      if let found = executors[ObjectIdentifier(loop)] { return found }
      let made = LoopExecutor(loop)
      executors[ObjectIdentifier(loop)] = made
      return made
    }
  }
}
