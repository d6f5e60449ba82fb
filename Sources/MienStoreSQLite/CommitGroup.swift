internal import GRDB

/// Writes what comes at the same time in one transaction: a disk that takes a millisecond to make a write durable then
/// takes hundreds of them in that millisecond.
///
/// Each piece of work has a savepoint of its own, so that one that fails takes nothing of its neighbours with it, and is
/// acknowledged only when the transaction is durable.
actor CommitGroup {
  private struct Piece {
    let work: @Sendable (Database) throws -> Void
    let done: CheckedContinuation<Void, any Error>
  }

  /// More in one transaction would make the first wait for the last.
  private static let largestGroup = 256

  private let database: any DatabaseWriter
  private var waiting: [Piece] = []
  private var isWriting = false

  init(_ database: any DatabaseWriter) {
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
        let results = try await database.write { db in works.map { Self.attempt($0, in: db) } }
        for (piece, result) in zip(group, results) { piece.done.resume(with: result) }
      } catch {
        for piece in group { piece.done.resume(throwing: error) }
      }
    }
    isWriting = false
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
