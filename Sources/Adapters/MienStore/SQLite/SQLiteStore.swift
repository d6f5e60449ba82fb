internal import Foundation
internal import GRDB
public import MienAccess
public import MienCaptures
public import MienChecks
public import MienCore
public import MienMessageService
public import MienPlatform
public import MienScanService
public import MienSecurity
public import MienWebhooks

/// Store in a single SQLite file, the embedded default.
///
/// It uses a write-ahead log with full synchronization: when a method returns, its changes survive `kill -9` and a power failure.
public struct SQLiteStore: Sendable {
  let database: SQLiteDatabase
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
      try Self.migrate(pool)
      // On most machines, as many connections as there are threads that may read at the same time.
      let readers = try ReadConnectionPool(path: path, count: min(8, ProcessInfo.processInfo.activeProcessorCount))
      database = SQLiteDatabase(pool, readers: readers, times: times)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(
        .unavailable,
        reason: "Could not open or migrate the database at \(path). Check that the folder exists and is writable. "
          + "\(SQLiteStore.publicText(error))")
    }
  }

  /// Runs pending migrations, without waiting for other writers if there are none.
  private static func migrate(_ pool: DatabasePool) throws {
    let isCurrent = try pool.read { db in
      try db.tableExists("migration")
        && Migrations.sqlite.areComplete(in: SQLiteConnection(db: db, syntax: SQLiteSyntax()))
    }
    if isCurrent { return }
    try pool.write { db in try Migrations.sqlite.run(SQLiteConnection(db: db, syntax: SQLiteSyntax())) }
  }

  /// Opens the database at `path` with exclusive access for the lifetime of this value.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if another process has the database open.
  public static func alone(_ path: String) throws -> SQLiteStore {
    do {
      return try SQLiteStore(alone: path)
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw StoreError(
        .unavailable, reason: "Another process has the database \(path) open. Stop the server and other commands first."
      )
    } catch let error as DatabaseError {
      throw StoreError(.unavailable, reason: "The database \(path) failed: \(publicText(error)).")
    }
  }

  private init(alone path: String) throws {
    let queue = try SQLiteTableExport.open(path)
    // The lock is held from the first transaction on.
    try queue.write { db in try Migrations.sqlite.run(SQLiteConnection(db: db, syntax: SQLiteSyntax())) }
    keyring = ColumnCipher(nil)
    database = SQLiteDatabase(queue, readers: nil, times: OperationTimings())
  }

  /// Returns a description of an error without statement arguments.
  static func publicText(_ error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(type(of: error))" }
    return "SQLite \(error.extendedResultCode)"
  }
}

extension SQLiteStore: SQLStore {
  /// Other servers never use the database: their table is empty.
  static var activeServers: String { "SELECT id FROM mien.server" }

  func run<Value: Sendable>(
    _ access: SQLAccess, _ what: String, as name: SpanName,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await database.run(access, as: name, work)
    } catch is SQLReadError {
      throw StoreError.unreadable(what)
    } catch let error as DatabaseError {
      switch error.extendedResultCode {
      case .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_UNIQUE:
        throw StoreError(.duplicate, reason: "\(what): the record already exists and cannot be overwritten.")
      case .SQLITE_CONSTRAINT_FOREIGNKEY:
        throw StoreError(.missing, reason: "\(what): the record that it refers to does not exist.")
      default:
        throw StoreError(.unavailable, reason: "\(what) failed: \(Self.publicText(error)).")
      }
    }
  }

  func storeVerdict(
    _ result: CheckResult, of id: CheckID, under epoch: Int?, in db: any SQLConnection
  ) throws -> SQLRow {
    // There is a single server, so no other server can have acquired the check.
    try db.insert("verdict", Self.verdictColumns, try verdictValues(result, of: id))
    try db.execute("DELETE FROM mien.live_snapshot WHERE check_id = $1", [id])
    let check = try db.first(
      """
      UPDATE mien.liveness_check SET state = $3, face_reference = NULL WHERE id = $1 RETURNING person, device, keeps_clip,
        (SELECT group_concat(id, ' ') FROM mien.webhook_endpoint WHERE \(Self.receives("$2"))) AS webhooks
      """, [id, WebhookEvent(result.outcome), result.outcome])
    guard let check else { throw StoreError(.missing, reason: "Storing a verdict: its check does not exist.") }
    return check
  }

  /// Truncates the write-ahead log, which still contains replaced values; in the database file they are overwritten.
  public func purgeReplaced() async throws {
    do {
      try await database.truncateLog(as: "SQLiteStore.purgeReplaced")
    } catch let error as DatabaseError {
      throw StoreError(.unavailable, reason: "Emptying the write-ahead log failed: \(Self.publicText(error)).")
    }
  }
}

extension SQLiteStore: APIKeyStore, APIKeyLookup, AccountStore, AttemptWaitStore, AuditStore, CaptureStore, CheckStore,
  ClipStore, CompatibilitySessionStore, EncryptedColumnStore, EncryptedSecretStore, EnrollmentStore, HealthCheckable,
  ImageStore, LockoutStore, MessageStore, PerformanceStore, RetentionStore, ScanStore, SnapshotStore, TemplateStore,
  WebhookStore
{}

extension SQLiteStore {
  public func reach() async throws {
    // Rereads the first page of the file if another connection has written.
    _ = try await read("Reaching the database") { db in try db.rows("PRAGMA schema_version") }
  }
}

/// Rate limits of sign-in attempts: table `sign_in_try`.
extension SQLiteStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await transaction("Counting a sign-in attempt") { db in
      let now = time.milliseconds
      let stored: Int64? = try db.first("SELECT full_ms FROM mien.sign_in_try WHERE digest = $1", [bucket.digest])
        .map { try $0["full_ms"] }
      // The value is clamped, so that after a clock was set back the wait never exceeds the time for one attempt.
      let before = min(max(stored ?? now, now), now + bucket.filling)
      let full = before + bucket.refill
      let wait = full - now - bucket.filling
      guard wait <= 0 else { return .milliseconds(Double(wait)) }
      try db.execute(
        """
        INSERT INTO mien.sign_in_try (digest, full_ms) VALUES ($1, $2)
        ON CONFLICT (digest) DO UPDATE SET full_ms = excluded.full_ms
        """, [bucket.digest, full])
      return nil
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await change(
      "Deleting sign-in attempts", "DELETE FROM mien.sign_in_try WHERE full_ms <= $1 OR full_ms > $2",
      [time, time.adding(longest)])
  }
}
