internal import Foundation
internal import GRDB
internal import MienModel
internal import MienService
internal import Synchronization

/// Connections that only read, for what is found by its key: the thread that asks reads for itself.
///
/// The way to a reader of the pool and back wakes two threads and takes several times as long as looking up a few rows. Work for
/// these must be short and touch few pages, since the thread has others to serve.
///
/// Decided checks that a connection has read are kept with it until somebody, on whatever connection and in whatever process, commits
/// a change: SQLite tells so (`PRAGMA data_version`), as it does to its own cache of pages.
final class PointReaders: Sendable {
  typealias Decided = (record: CheckRecord, result: CheckResult)

  private struct Reader: Sendable {
    let connection: DatabaseQueue
    /// What `PRAGMA data_version` said when the first of `kept` was read; the number is the connection's own.
    var version: Int64?
    var kept: [SessionID: Decided] = [:]
  }

  /// How many checks a connection keeps.
  private static let capacity = 256

  private let idle: Mutex<[Reader]>

  /// - Parameters:
  ///   - path: a database that is there already, with its write-ahead log.
  ///   - count: how many threads can read at the same time.
  init(path: String, count: Int) throws {
    var configuration = Configuration()
    configuration.readonly = true
    // Whoever would have to wait goes to the pool instead.
    configuration.busyMode = .immediateError
    configuration.publicStatementArguments = false
    idle = Mutex(
      try (0..<count).map { _ in Reader(connection: try DatabaseQueue(path: path, configuration: configuration)) })
  }

  /// Does `work`, whose statements see what was committed last, each for itself.
  ///
  /// - Returns: nil where all connections are in use or the database is busy: the pool has them wait without holding a thread.
  func read<Value>(_ work: (Database) throws -> Value) throws -> Value? {
    try using { reader in try reader.connection.unsafeRead(work) }
  }

  /// A decided check, read by `work` unless this connection has read it since the last change of the database.
  ///
  /// - Returns: nil where ``read(_:)`` would say so, and where `work` does.
  func decided(_ id: SessionID, _ work: (Database) throws -> Decided?) throws -> Decided? {
    try using { reader -> Decided? in
      try reader.connection.unsafeRead { db -> Decided? in
        // Asked before the rows are read: what changes between the two is read, and found changed the next time.
        let version = try Int64.fetchOne(try db.cachedStatement(sql: "PRAGMA data_version"))
        if version == nil || version != reader.version { (reader.version, reader.kept) = (version, [:]) }
        if let kept = reader.kept[id] { return kept }
        guard let found = try work(db) else { return nil }
        if reader.kept.count >= Self.capacity { reader.kept = [:] }
        reader.kept[id] = found
        return found
      }
    } ?? nil
  }

  /// Forgets what idle connections have kept, so that nothing of an erased person stays in memory with one that is not used.
  func forget() {
    idle.withLock { readers in
      for index in readers.indices where !readers[index].kept.isEmpty {
        (readers[index].version, readers[index].kept) = (nil, [:])
      }
    }
  }

  private func using<Value>(_ work: (inout Reader) throws -> Value) throws -> Value? {
    guard var reader = idle.withLock({ $0.popLast() }) else { return nil }
    defer { idle.withLock { $0.append(reader) } }
    do {
      return try work(&reader)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return nil
    }
  }
}
