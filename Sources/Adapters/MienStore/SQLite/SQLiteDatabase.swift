internal import Foundation
internal import GRDB
internal import MienPlatform
internal import Synchronization

/// Database file whose reads and transactions are measured, including the wait for a connection, and traced as spans of the current job.
struct SQLiteDatabase: Sendable {
  private let writer: any DatabaseWriter
  private let readers: ReadConnectionPool?
  private let group: GroupCommitQueue
  private let syntax = SQLiteSyntax()
  private let times: OperationTimings

  /// Creates an instrumented database.
  ///
  /// - Parameter readers: Connections for lookups; `nil` if connections other than the writer's would be locked out.
  init(_ writer: any DatabaseWriter, readers: ReadConnectionPool?, times: OperationTimings) {
    self.writer = writer
    self.readers = readers
    self.times = times
    group = GroupCommitQueue(writer, times: times)
  }

  func run<Value: Sendable>(
    _ access: SQLAccess, as name: SpanName, _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    let syntax = syntax
    let work: @Sendable (Database) throws -> Value = { try work(SQLiteConnection(db: $0, syntax: syntax)) }
    switch access {
    case .lookup:
      if let value = try lookup(name, work) { return value }
      fallthrough
    case .read:
      return try await times.measuring(.database(.sqlite, .read), as: name) { try await writer.read(work) }
    case .statement, .transaction:
      return try await write(name, work)
    }
  }

  /// Reads on the calling thread; returns `nil` if that is not possible without waiting.
  private func lookup<Value>(_ name: SpanName, _ work: (Database) throws -> Value) throws -> Value? {
    guard let readers else { return nil }
    let span = times.begin(.database(.sqlite, .read), as: name)
    var found: Result<Value?, any Error> = .success(nil)
    let took = ContinuousClock().measure { found = Result { try readers.read(work) } }
    span?.end(found)
    let value = try found.get()
    if value != nil { times.note(.database(.sqlite, .read), took: took) }
    return value
  }

  /// Writes in a transaction that may be shared with other writes, and returns when it is durable.
  private func write<Value: Sendable>(
    _ name: SpanName, _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    let span = times.begin(.database(.sqlite, .write), as: name)
    let result = Mutex<Value?>(nil)
    do {
      try await group.write { db in
        let value = try work(db)
        result.withLock { $0 = value }
      }
    } catch {
      span?.end(.failed(error))
      throw error
    }
    span?.end()
    guard let value = result.withLock({ $0 }) else { preconditionFailure("the write was done") }
    return value
  }

  /// Truncates the write-ahead log, which still contains data deleted from the tables.
  func truncateLog(as name: SpanName) async throws {
    try await times.measuring(.database(.sqlite, .write), as: name) {
      try await writer.writeWithoutTransaction { db in
        do {
          try db.checkpoint(.truncate)
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
          // A read is in progress; the next checkpoint truncates the log.
        }
      }
    }
  }

  /// Returns the writer's synchronization level as numbered by SQLite: 1 NORMAL, 2 FULL.
  func writerSynchronization() async throws -> Int? {
    try await writer.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
  }
}

/// Read-only connections for lookups by key on the calling thread.
///
/// A switch to a reader of the database pool and back wakes two threads and takes several times as long as reading a few rows. Work on
/// these connections must be short and read few pages, since the calling thread serves other tasks as well.
final class ReadConnectionPool: Sendable {
  private let idle: Mutex<[DatabaseQueue]>

  /// Opens the connections.
  ///
  /// - Parameters:
  ///   - path: Existing database with a write-ahead log.
  ///   - count: Number of threads that can read at the same time.
  init(path: String, count: Int) throws {
    var configuration = Configuration()
    configuration.readonly = true
    // Callers fall back to the database pool instead of waiting.
    configuration.busyMode = .immediateError
    configuration.publicStatementArguments = false
    idle = Mutex(try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) })
  }

  /// Runs `work`, each of whose statements sees the last committed state.
  ///
  /// - Returns: `nil` if all connections are in use or the database is busy; the caller then uses the database pool, which waits without
  ///   blocking a thread.
  func read<Value>(_ work: (Database) throws -> Value) throws -> Value? {
    guard let reader = idle.withLock({ $0.popLast() }) else { return nil }
    defer { idle.withLock { $0.append(reader) } }
    do {
      return try reader.unsafeRead(work)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return nil
    }
  }
}
