internal import Foundation
internal import GRDB
internal import Synchronization

/// Connections that only read, for what is found by its key: the thread that asks reads for itself.
///
/// The way to a reader of the pool and back wakes two threads and takes several times as long as looking up a few rows. Work for
/// these must be short and touch few pages, since the thread has others to serve.
final class ReadConnectionPool: Sendable {
  private let idle: Mutex<[DatabaseQueue]>

  /// - Parameters:
  ///   - path: a database that is there already, with its write-ahead log.
  ///   - count: how many threads can read at the same time.
  init(path: String, count: Int) throws {
    var configuration = Configuration()
    configuration.readonly = true
    // Whoever would have to wait goes to the pool instead.
    configuration.busyMode = .immediateError
    configuration.publicStatementArguments = false
    idle = Mutex(try (0..<count).map { _ in try DatabaseQueue(path: path, configuration: configuration) })
  }

  /// Does `work`, whose statements see what was committed last, each for itself.
  ///
  /// - Returns: nil where all connections are in use or the database is busy: the pool has them wait without holding a thread.
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
