internal import GRDB
internal import MienService

/// Keeps everything in one SQLite file: the embedded default.
///
/// Write-ahead log with full synchronisation: what a method has acknowledged survives `kill -9` and a power cut.
public struct SQLiteStore: Sendable {
  let database: any DatabaseWriter
  /// What people wait for while others write as well: checks and verdicts.
  let group: CommitGroup

  /// Opens or creates the database at `path` and brings its schema up to date.
  ///
  /// - Throws: ``StoreError`` with ``StoreError/Code/unavailable``.
  public init(path: String) throws {
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
      database = pool
      group = CommitGroup(pool)
    } catch {
      throw StoreError(
        .unavailable,
        reason: "Could not open or migrate the database at \(path). Check that the folder exists and is writable. "
          + "\(SQLiteStore.publicText(error))")
    }
  }

  /// How the writer synchronises with the disk, as SQLite numbers it: 1 NORMAL, 2 FULL.
  func writerSynchronisation() async throws -> Int? {
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
