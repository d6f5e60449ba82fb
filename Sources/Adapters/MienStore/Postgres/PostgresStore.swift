public import MienAccess
public import MienCaptures
public import MienChecks
public import MienCore
public import MienMessageService
public import MienPlatform
public import MienScanService
public import MienSecurity
public import MienWebhooks

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

extension PostgresStore {
  public func reach() async throws {
    _ = try await read("Reaching the database") { db in try db.rows("SELECT 1 AS one") }
  }

  public func checkFreeSpace() async throws {
    if await pool.lacksSpace {
      throw StoreError(.unavailable, reason: "PostgreSQL's disk is full. Free some space there.")
    }
  }
}

/// Looks at a database without changing it.
extension PostgresStore {
  /// Returns the migration state of a database's live realm.
  ///
  /// - Returns: The number of completed migrations (0 without a schema, more than `known` if a newer version was used) and the number of
  ///   migrations known to this version.
  /// - Throws: ``StoreError`` with `unavailable` if the database does not respond.
  public static func migrations(at address: PostgresURL) async throws -> (done: Int, known: Int) {
    let done = try await inspect("migration", at: address, realm: .live) { db -> Int in
      try db.count("SELECT count(*) AS count FROM mien.migration")
    }
    return (done ?? 0, Migrations.postgres.count)
  }

  /// Reports whether a realm's schema contains a server's encrypted secrets.
  public static func isInUse(at address: PostgresURL, realm: Realm) async throws -> Bool {
    try await inspect("encrypted_secret", at: address, realm: realm) { db in
      try db.exists("SELECT 1 AS one FROM mien.encrypted_secret LIMIT 1")
    } ?? false
  }

  /// Runs `work` if a table exists.
  private static func inspect<Value: Sendable>(
    _ table: String, at address: PostgresURL, realm: Realm, _ work: @Sendable (PostgresConnection) throws -> Value
  ) async throws -> Value? {
    let schema = address.schema(of: realm)
    let pool = PostgresPool(address, schema: schema, times: OperationTimings())
    do {
      return try await pool.run(.transaction, as: "PostgresStore.inspect") { db in
        let exists = try db.exists(
          "SELECT 1 AS one FROM pg_tables WHERE schemaname = $1 AND tablename = $2", [schema, table])
        return exists ? try work(db) : nil
      }
    } catch let fault as PostgresError {
      throw fault.storeError("Opening \(address)")
    }
  }
}

/// Rate limits of sign-in attempts, shared by all servers and measured by the database's clock: table `sign_in_try`.
extension PostgresStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await write("Counting a sign-in attempt") { db -> Interval? in
      // Concurrent attempts wait for the row and then see the remaining allowance.
      let row = try db.first(
        """
        WITH taken AS (
          INSERT INTO mien.sign_in_try AS t (digest, full_ms) VALUES ($1, \(Self.statementTime) + $2::bigint)
          ON CONFLICT (digest) DO UPDATE SET full_ms = greatest(t.full_ms, \(Self.statementTime)) + $2::bigint
          WHERE t.full_ms <= \(Self.statementTime) + $3::bigint - $2::bigint
          RETURNING digest
        )
        SELECT (SELECT count(*) FROM taken) AS taken,
          (SELECT full_ms FROM mien.sign_in_try WHERE digest = $1) - \(Self.statementTime) + $2::bigint - $3::bigint AS wait
        """, [bucket.digest, bucket.refill, bucket.filling])
      guard let row else { throw SQLReadError() }
      if try row["taken"] as Int > 0 { return nil }
      // The row as of the start of the statement: other attempts may have been counted since, or a clock was set back. The wait never
      // exceeds the refill time of one attempt.
      let wait: Int64? = try row[optional: "wait"]
      let known = wait.flatMap { (1...bucket.refill).contains($0) ? $0 : nil }
      return .milliseconds(Double(known ?? bucket.refill))
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await change(
      "Deleting sign-in attempts",
      "DELETE FROM mien.sign_in_try WHERE full_ms <= \(Self.statementTime) OR full_ms > \(Self.statementTime) + $1::bigint",
      [longest.nanoseconds / 1_000_000])
  }
}
