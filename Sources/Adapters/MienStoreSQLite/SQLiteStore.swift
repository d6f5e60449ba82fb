internal import Foundation
internal import GRDB
public import MienService

/// Store in a single SQLite file, the embedded default.
///
/// It uses a write-ahead log with full synchronization: when a method returns, its changes survive `kill -9` and a power failure.
public struct SQLiteStore: Sendable {
  let database: InstrumentedDatabase
  /// Group commits for the latency-critical writes of checks and verdicts.
  let group: GroupCommitQueue
  /// Encrypts images of faces and biometric measurements.
  let keyring: ColumnCipher
  /// ID of this process, stored with the states of active checks.
  let server = UUID().uuidString

  /// Opens or creates the database at `path` and migrates its schema.
  ///
  /// - Parameters:
  ///   - keyring: Encrypts images of faces and biometric measurements; `nil` stores them unencrypted.
  ///   - times: Measures the time of database operations.
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``.
  public init(path: String, keyring: MasterKeyring? = nil, times: OperationTimings = OperationTimings()) throws {
    self.keyring = ColumnCipher(keyring)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 4
    // Statement arguments are personal data, which must not appear in error messages.
    configuration.publicStatementArguments = false
    configuration.prepareDatabase { db in
      // Deleted data is overwritten: an image of a face must not remain in a free page.
      try db.execute(sql: "PRAGMA secure_delete = ON")
    }
    do {
      let pool = try DatabasePool(path: path, configuration: configuration)
      // The pool lowers the synchronization level when it sets up the write-ahead log, after the preparation above.
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      try Schema.migrator.migrate(pool)
      // On most machines, as many connections as there are threads that may read at the same time.
      let points = try ReadConnectionPool(path: path, count: min(8, ProcessInfo.processInfo.activeProcessorCount))
      database = InstrumentedDatabase(pool, points: points, times: times)
      group = GroupCommitQueue(database)
    } catch {
      throw StoreError(
        .unavailable,
        reason: "Could not open or migrate the database at \(path). Check that the folder exists and is writable. "
          + "\(SQLiteStore.publicText(error))")
    }
  }

  /// Opens the database at `path` with exclusive access for the lifetime of this value.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if another process has the database open.
  public static func alone(_ path: String) throws -> SQLiteStore {
    do {
      return try SQLiteStore(alone: path)
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw StoreError(
        .unavailable, reason: "Somebody else has the database \(path) open. End the server, and other commands, first.")
    } catch let error as DatabaseError {
      throw StoreError(.unavailable, reason: "The database \(path) failed: \(publicText(error)).")
    }
  }

  private init(alone path: String) throws {
    let queue = try SQLiteTableExport.open(path)
    // The lock is held from the first transaction on.
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "PRAGMA user_version")
      return .commit
    }
    try Schema.migrator.migrate(queue)
    keyring = ColumnCipher(nil)
    database = InstrumentedDatabase(queue, points: nil, times: OperationTimings())
    group = GroupCommitQueue(database)
  }

  /// Returns the writer's synchronization level as numbered by SQLite: 1 NORMAL, 2 FULL.
  func writerSynchronization() async throws -> Int? {
    try await database.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
  }

  /// Returns a description of an error without statement arguments.
  static func publicText(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(type(of: error))" }
    return "SQLite \(error.extendedResultCode)"
  }

  /// Runs `work` and converts SQLite errors to service errors.
  func mapped<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as StoreError {
      throw error
    } catch let error as DatabaseError {
      switch error.extendedResultCode {
      case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE:
        throw StoreError(.duplicate, reason: "\(what): it is there already and is written only once.")
      case .SQLITE_CONSTRAINT_FOREIGNKEY:
        throw StoreError(.missing, reason: "\(what): what it belongs to is not there.")
      default:
        throw StoreError(.unavailable, reason: "\(what) failed: \(Self.publicText(error)).")
      }
    }
  }
}
