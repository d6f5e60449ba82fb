internal import MienWorkers
internal import Synchronization

/// Runs memory-hard key derivations one at a time on a dedicated thread: each occupies a processor and tens of megabytes
/// for up to a second, so they must not run on request threads, nor many at once.
package final class DerivationQueue: Sendable {
  private let thread: WorkerPool
  private let waiting = Mutex(0)
  private let capacity: Int
  private let full: ServiceError

  /// - Parameters:
  ///   - label: names the thread.
  ///   - capacity: maximum number of derivations that wait or run; the result of a later one would come too late.
  ///   - full: thrown when `capacity` is reached.
  package init(_ label: String, capacity: Int, full: ServiceError) {
    thread = WorkerPool(label: label, threads: 1)
    self.capacity = capacity
    self.full = full
  }

  /// A reserved place in the queue, released with its last reference.
  package final class Place: Sendable {
    private let queue: DerivationQueue

    fileprivate init(in queue: DerivationQueue) { self.queue = queue }

    deinit { queue.waiting.withLock { $0 -= 1 } }

    package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
      await queue.thread.run(work)
    }
  }

  /// Reserves a place before a step that cannot be undone.
  ///
  /// - Throws: ``ServiceError`` with `busy` when the queue is full.
  package func reserve() throws -> Place {
    let isFree = waiting.withLock { waiting in
      guard waiting < capacity else { return false }
      waiting += 1
      return true
    }
    guard isFree else { throw full }
    return Place(in: self)
  }

  /// - Throws: ``ServiceError`` with `busy` when the queue is full.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
    try await reserve().run(work)
  }
}
