internal import Synchronization
internal import MienWorkers

/// Makes and compares hashes of passwords, one after the other on a thread of its own: they take a processor and much memory
/// for the better part of a second, and must hold up neither requests nor each other's memory.
final class PasswordHasher: Sendable {
  /// More that wait would be answered when nobody waits any more.
  private static let mostWaiting = 16

  private let thread = WorkerPool(label: "mien.passwords", threads: 1)
  private let waiting = Mutex(0)

  /// - Throws: ``ServiceError`` with `busy` when too many wait.
  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws -> Value {
    let mayEnter = waiting.withLock { waiting in
      guard waiting < Self.mostWaiting else { return false }
      waiting += 1
      return true
    }
    guard mayEnter else {
      throw ServiceError(.busy, "Too many sign in just now. Try again shortly.", retryAfter: 5)
    }
    defer { waiting.withLock { $0 -= 1 } }
    return await thread.run(work)
  }
}
