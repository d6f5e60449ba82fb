internal import Foundation
internal import GRDB
internal import Synchronization

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
    // Instead of waiting, callers fall back to the database pool.
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
