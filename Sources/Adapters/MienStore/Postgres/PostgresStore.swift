internal import MienCore
public import MienPlatform
public import MienSecurity
public import MienAccess
public import MienWebhooks
public import MienChecks
public import MienCaptures
public import MienScanService
public import MienMessageService

/// Store in PostgreSQL, for several servers that share one database.
///
/// Each realm has its own schema. When a method returns, its changes are committed and, with the database's default settings,
/// synchronized to its disk. Each transaction uses one connection, so any pooler is supported.
public struct PostgresStore: Sendable {
  let pool: PostgresPool
  /// Encrypts images of faces and biometric measurements.
  let keyring: ColumnCipher
  /// ID of the server that uses this store.
  let server: String

  /// Connects and creates or migrates the schema; if several servers start at once, one of them migrates.
  ///
  /// - Parameters:
  ///   - realm: Realm: `live` uses the address's schema, the sandbox that name with the suffix `_sandbox`.
  ///   - server: Server ID of 1 to 64 characters, unique in this database; it is stored with the work that the server acquires.
  ///   - keyring: Encrypts images of faces and biometric measurements; `nil` stores them unencrypted.
  ///   - times: Measures the time of database operations, including waits for a connection.
  /// - Throws: ``StoreError`` with `unavailable`.
  public init(
    _ address: PostgresURL, realm: Realm = .live, server: String = "server", keyring: MasterKeyring? = nil,
    times: OperationTimings = OperationTimings()
  ) async throws {
    self.server = server
    self.keyring = ColumnCipher(keyring)
    let schema = address.schema(of: realm)
    pool = PostgresPool(address, schema: schema, times: times)
    do {
      try await pool.run(.transaction, as: "PostgresStore.migrate") { db in try Self.migrate(db, schema: schema) }
    } catch let fault as PostgresError {
      throw fault.storeError("Opening \(address)")
    }
  }

  /// Creates the schema or runs pending migrations within the caller's transaction.
  ///
  /// The time depends on the size of the tables, as does waiting for another server that is migrating.
  static func migrate(_ db: PostgresConnection, schema: String, _ migrations: Migrations = .postgres) throws {
    try db.withoutStatementTimeout { db in
      try db.lock("mien migrations", schema)
      let exists = try db.exists("SELECT 1 AS one FROM pg_namespace WHERE nspname = $1", [schema])
      if !exists { try db.script("CREATE SCHEMA \(schema)") }
      try migrations.run(db)
    }
  }
}

extension PostgresStore: SQLStore {
  func run<Value: Sendable>(
    _ access: SQLAccess, _ what: String, as name: SpanName,
    _ work: @escaping @Sendable (any SQLConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await pool.run(access, as: name) { db in try work(db) }
    } catch is SQLReadError {
      throw StoreError.unreadable(what)
    } catch let fault as PostgresError {
      throw fault.storeError(what)
    }
  }

  func storeVerdict(
    _ result: CheckResult, of id: CheckID, under epoch: Int?, in db: any SQLConnection
  ) throws -> SQLRow {
    let places = Self.verdictColumns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
    let count = Self.verdictColumns.count
    let (event, held, owner) = ("$\(count + 1)", "$\(count + 2)::bigint", "$\(count + 3)")
    // Round trips cost more than the work in the database, so one statement does all of it.
    let check = try db.first(
      """
      WITH held AS (
        DELETE FROM mien.live_snapshot
        WHERE check_id = $1 AND (\(held) IS NULL OR server = \(owner) AND epoch = \(held))
        RETURNING check_id
      ), mine AS (
        -- The statement still sees rows that it deletes: a lease that exists and could not be deleted is another server's.
        SELECT 1 AS one WHERE EXISTS (SELECT FROM held) OR \(held) IS NULL
          OR NOT EXISTS (SELECT FROM mien.live_snapshot WHERE check_id = $1)
      ), stored AS (
        INSERT INTO mien.verdict (\(Self.verdictColumns.joined(separator: ", "))) SELECT \(places) FROM mine
      ), receivers AS (
        SELECT id FROM mien.webhook_endpoint WHERE \(Self.receives(event)) FOR KEY SHARE
      )
      UPDATE mien.liveness_check SET state = $3, face_reference = NULL FROM mine WHERE id = $1
      RETURNING person, device, keeps_clip, (SELECT string_agg(id, ' ' ORDER BY id) FROM receivers) AS webhooks
      """, try verdictValues(result, of: id) + [WebhookEvent(result.outcome), epoch, server])
    guard let check else { throw try Self.whyNotStored(id, in: db) }
    return check
  }

  /// Returns the error for a verdict that was not stored although no statement failed.
  private static func whyNotStored(_ id: CheckID, in db: any SQLConnection) throws -> any Error {
    guard let check = try db.first("SELECT state FROM mien.liveness_check WHERE id = $1", [id]) else {
      return PostgresError(.refused("23503"))
    }
    return try check["state"] == "open"
      ? StoreError(.leaseLost, reason: "Storing a verdict: another server has the check.")
      : PostgresError(.refused("23505"))
  }

  /// Does nothing: PostgreSQL reuses the space of replaced rows later. Guarding.md describes how to reclaim it immediately.
  public func purgeReplaced() async throws {}
}

extension PostgresStore: APIKeyStore, APIKeyLookup, AccountStore, AttemptWaitStore, AuditStore, CaptureStore,
  CheckStore,
  ClipStore, CompatibilitySessionStore, EncryptedColumnStore, EncryptedSecretStore, EnrollmentStore, HealthCheckable,
  ImageStore, LockoutStore, MessageStore, PerformanceStore, RetentionStore, ScanStore, SnapshotStore, TemplateStore,
  WebhookStore
{}
