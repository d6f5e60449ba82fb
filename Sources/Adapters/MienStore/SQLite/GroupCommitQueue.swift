internal import Dispatch
internal import Foundation
internal import GRDB
internal import MienPlatform
internal import Synchronization

/// Combines concurrent writes in one transaction: a disk that takes a millisecond to make a write durable then completes hundreds of
/// writes in that time.
///
/// A failed write does not affect the others: the transaction is rolled back and repeated with each write in its own savepoint. A write
/// is acknowledged only when the transaction is durable.
///
/// The queue has its own thread for blocking calls. A request's thread wakes it directly, and it resumes the request directly.
final class GroupCommitQueue: Sendable {
  private struct PendingWrite {
    let work: @Sendable (Database) throws -> Void
    let done: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waiting: [PendingWrite] = []
    var isWriting = false
  }

  private struct FailedWriteError: Error {
    let reason: any Error
  }

  /// Maximum number of writes per transaction; more would delay the first ones.
  private static let largestGroup = 256

  private let writer: any DatabaseWriter
  private let times: OperationTimings
  private let queue = DispatchQueue(label: "mien.commits")
  private let state = Mutex(State())

  init(_ writer: any DatabaseWriter, times: OperationTimings) {
    self.writer = writer
    self.times = times
  }

  /// Runs `work` in a possibly shared transaction, and returns when it is durable.
  func write(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let isFirst = state.withLock { state in
        state.waiting.append(PendingWrite(work: work, done: done))
        defer { state.isWriting = true }
        return !state.isWriting
      }
      if isFirst { queue.async { self.writeAll() } }
    }
  }

  private func writeAll() {
    while let group = next() {
      do {
        let results = try outcomes(of: group.map(\.work))
        for (write, result) in zip(group, results) { write.done.resume(with: result) }
      } catch {
        for write in group { write.done.resume(throwing: error) }
      }
    }
  }

  /// Returns the writes of the next transaction, or `nil` if there are none, in which case the next caller starts a new run.
  private func next() -> [PendingWrite]? {
    // Yields first, so that threads about to add writes can run if they share the processor with this thread.
    _ = sched_yield()
    return state.withLock { state in
      let group = Array(state.waiting.prefix(Self.largestGroup))
      state.waiting.removeFirst(group.count)
      state.isWriting = !group.isEmpty
      return group.isEmpty ? nil : group
    }
  }

  /// Returns the result of each write. Throws if the transaction as a whole failed.
  private func outcomes(of works: [@Sendable (Database) throws -> Void]) throws -> [Result<Void, any Error>] {
    do {
      // Usually all succeed. An error of the commit itself is thrown to all callers, because it would recur.
      try transaction { db in
        for work in works {
          do { try work(db) } catch { throw FailedWriteError(reason: error) }
        }
      }
      return works.map { _ in .success(()) }
    } catch let failed as FailedWriteError {
      guard works.count > 1 else { return [.failure(failed.reason)] }
      return try transaction { db in works.map { Self.attempt($0, in: db) } }
    }
  }

  /// Runs a transaction on the calling thread, which is blocked meanwhile.
  private func transaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
    try times.measuring(.database(.sqlite, .write)) { try writer.write(work) }
  }

  private static func attempt(_ work: (Database) throws -> Void, in db: Database) -> Result<Void, any Error> {
    Result {
      try db.inSavepoint {
        try work(db)
        return .commit
      }
    }
  }
}
