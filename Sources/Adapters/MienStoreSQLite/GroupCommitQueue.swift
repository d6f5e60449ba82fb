internal import Dispatch
internal import Foundation
internal import GRDB
internal import MienService
internal import Synchronization

/// Writes what comes at the same time in one transaction: a disk that takes a millisecond to make a write durable then
/// takes hundreds of them in that millisecond.
///
/// One piece that fails takes nothing of its neighbours with it: the transaction is then rolled back and done once more, each
/// piece within a savepoint of its own. A piece is acknowledged only when the transaction is durable.
///
/// It has a thread of its own to wait on: who wakes it is a request's thread, and it wakes that one, nobody in between.
final class GroupCommitQueue: Sendable {
  private struct Piece {
    let work: @Sendable (Database) throws -> Void
    let done: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var waiting: [Piece] = []
    var isWriting = false
  }

  private struct PieceFailed: Error {
    let reason: any Error
  }

  /// More in one transaction would make the first wait for the last.
  private static let largestGroup = 256

  private let database: InstrumentedDatabase
  private let queue = DispatchQueue(label: "mien.commits")
  private let state = Mutex(State())

  init(_ database: InstrumentedDatabase) {
    self.database = database
  }

  /// Does `work` within a transaction that it may share, and returns when that is durable.
  func write(
    operation: StaticString = #function, file: StaticString = #fileID,
    _ work: @escaping @Sendable (Database) throws -> Void
  ) async throws {
    let span = database.begin(SpanName(operation: operation, in: file))
    do {
      try await share(work)
      span?.end()
    } catch {
      span?.end(.failed(error))
      throw error
    }
  }

  private func share(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      let isFirst = state.withLock { state in
        state.waiting.append(Piece(work: work, done: done))
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
        for (piece, result) in zip(group, results) { piece.done.resume(with: result) }
      } catch {
        for piece in group { piece.done.resume(throwing: error) }
      }
    }
  }

  /// The pieces of the next transaction; nil when there are none, and whoever comes then is the first again.
  private func next() -> [Piece]? {
    // A thread that was just woken runs before those that are about to bring more, where they share a processor: they first.
    _ = sched_yield()
    return state.withLock { state in
      let group = Array(state.waiting.prefix(Self.largestGroup))
      state.waiting.removeFirst(group.count)
      state.isWriting = !group.isEmpty
      return group.isEmpty ? nil : group
    }
  }

  /// What became of each piece; throws where nothing is kept of any.
  private func outcomes(of works: [@Sendable (Database) throws -> Void]) throws -> [Result<Void, any Error>] {
    do {
      // Almost always all succeed. What makes the commit itself fail goes to everybody: it would do so again.
      try database.writeHere { db in
        for work in works {
          do { try work(db) } catch { throw PieceFailed(reason: error) }
        }
      }
      return works.map { _ in .success(()) }
    } catch let failed as PieceFailed {
      guard works.count > 1 else { return [.failure(failed.reason)] }
      return try database.writeHere { db in works.map { Self.attempt($0, in: db) } }
    }
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
