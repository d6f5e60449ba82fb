internal import Synchronization
internal import MienWorkers

/// Computes and compares password hashes, one at a time on a thread of its own: each takes most of a second of
/// processor time and much memory, and must neither delay requests nor add to another one's memory.
final class PasswordHasher: Sendable {
  /// With a longer queue, clients would have given up before they get a response.
  private static let mostWaiting = 16

  private let thread = WorkerPool(label: "mien.passwords", threads: 1)
  private let waiting = Mutex(0)

  /// - Throws: ``ServiceError`` with `busy` if too many calls are waiting.
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
