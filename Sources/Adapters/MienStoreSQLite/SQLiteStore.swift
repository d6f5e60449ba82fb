internal import Foundation
internal import GRDB
public import MienService

/// Keeps everything in one SQLite file: the embedded default.
///
/// Write-ahead log with full synchronisation: what a method has acknowledged survives `kill -9` and a power cut.
public struct SQLiteStore: Sendable {
  let database: InstrumentedDatabase
  /// What people wait for while others write as well: checks and verdicts.
  let group: GroupCommitQueue
  /// Seals what shows a face or was measured in one.
  let keyring: ColumnCipher
  /// The name of this run, beside the states of checks under way.
  let server = UUID().uuidString

  /// Opens or creates the database at `path` and brings its schema up to date.
  ///
  /// - Parameters:
  ///   - seal: closes what shows a face or was measured in one; nil keeps it open.
  ///   - times: counts what the database takes.
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``.
  public init(path: String, keyring: MasterKeyring? = nil, times: OperationTimings = OperationTimings()) throws {
    self.keyring = ColumnCipher(keyring)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(5)
    configuration.maximumReaderCount = 4
    // A statement's arguments are people's data: they must not reach an error's text.
    configuration.publicStatementArguments = false
    configuration.prepareDatabase { db in
      // What is erased is overwritten: a face must not stay in a free page.
      try db.execute(sql: "PRAGMA secure_delete = ON")
    }
    do {
      let pool = try DatabasePool(path: path, configuration: configuration)
      // The pool turns synchronisation down when it sets up the write-ahead log, after the preparation above.
      try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
      try Schema.migrator.migrate(pool)
      // As many as there are threads that could ask at the same time, on most machines.
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

  /// Opens the database at `path`, which nobody else has open and nobody else opens as long as this value lives.
  ///
  /// - Throws: ``StoreError`` with `unavailable`, when somebody else has it open too.
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
    // From the first transaction on the lock is held.
    try queue.inTransaction(.immediate) { db in
      try db.execute(sql: "PRAGMA user_version")
      return .commit
    }
    try Schema.migrator.migrate(queue)
    keyring = ColumnCipher(nil)
    database = InstrumentedDatabase(queue, points: nil, times: OperationTimings())
    group = GroupCommitQueue(database)
  }

  /// How the writer synchronises with the disk, as SQLite numbers it: 1 NORMAL, 2 FULL.
  func writerSynchronization() async throws -> Int? {
    try await database.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") }
  }

  /// The engine's own words without any argument of a statement.
  static func publicText(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(type(of: error))" }
    return "SQLite \(error.extendedResultCode)"
  }

  /// Runs `work` and turns the engine's errors into the service's.
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
