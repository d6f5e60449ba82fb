internal import GRDB

/// Writes what comes at the same time in one transaction: a disk that takes a millisecond to make a write durable then
/// takes hundreds of them in that millisecond.
///
/// One piece that fails takes nothing of its neighbours with it: the transaction is then rolled back and done once more, each
/// piece within a savepoint of its own. A piece is acknowledged only when the transaction is durable.
actor CommitGroup {
  private struct Piece {
    let work: @Sendable (Database) throws -> Void
    let done: CheckedContinuation<Void, any Error>
  }

  private struct PieceFailed: Error {
    let reason: any Error
  }

  /// More in one transaction would make the first wait for the last.
  private static let largestGroup = 256

  private let database: TimedDatabase
  private var waiting: [Piece] = []
  private var isWriting = false

  init(_ database: TimedDatabase) {
    self.database = database
  }

  /// Does `work` within a transaction that it may share, and returns when that is durable.
  func write(_ work: @escaping @Sendable (Database) throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
      waiting.append(Piece(work: work, done: done))
      guard !isWriting else { return }
      isWriting = true
      Task { await writeAll() }
    }
  }

  private func writeAll() async {
    while !waiting.isEmpty {
      let group = Array(waiting.prefix(Self.largestGroup))
      waiting.removeFirst(group.count)
      let works = group.map(\.work)
      do {
        let results = try await outcomes(of: works)
        for (piece, result) in zip(group, results) { piece.done.resume(with: result) }
      } catch {
        for piece in group { piece.done.resume(throwing: error) }
      }
    }
    isWriting = false
  }

  /// What became of each piece; throws where nothing is kept of any.
  private func outcomes(of works: [@Sendable (Database) throws -> Void]) async throws -> [Result<Void, any Error>] {
    do {
      // Almost always all succeed. What makes the commit itself fail goes to everybody: it would do so again.
      try await database.write { db in
        for work in works {
          do { try work(db) } catch { throw PieceFailed(reason: error) }
        }
      }
      return works.map { _ in .success(()) }
    } catch let failed as PieceFailed {
      guard works.count > 1 else { return [.failure(failed.reason)] }
      return try await database.write { db in works.map { Self.attempt($0, in: db) } }
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
