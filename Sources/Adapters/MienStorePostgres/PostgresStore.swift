public import MienService

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
  ///   - space: Realm: `live` uses the address's schema, the sandbox that name with the suffix `_sandbox`.
  ///   - server: Server ID of 1 to 64 characters, unique in this database; it is stored with the work that the server acquires.
  ///   - keyring: Encrypts images of faces and biometric measurements; `nil` stores them unencrypted.
  ///   - times: Measures the time of database operations, including waits for a connection.
  /// - Throws: ``StoreError`` with `unavailable`.
  public init(
    _ address: PostgresURL, space: Realm = .live, server: String = "server", keyring: MasterKeyring? = nil,
    times: OperationTimings = OperationTimings()
  ) async throws {
    self.server = server
    self.keyring = ColumnCipher(keyring)
    let schema = space == .live ? address.schema : address.schema + "_sandbox"
    pool = PostgresPool(address, schema: schema, times: times)
    try await mapped("Opening \(address)") {
      try await pool.transaction { db in try PostgresSchema.migrate(&db, schema: schema) }
    }
  }

  /// Runs `work` and converts database errors to service errors.
  @discardableResult
  func mapped<Value>(_ what: String, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let fault as PostgresError {
      throw fault.storeError(what)
    }
  }

  static func damaged(_ what: String) -> StoreError {
    StoreError(.unavailable, reason: "The database holds \(what) that cannot be read. Restore it from a backup.")
  }
}

extension PostgresConnection {
  /// Queues the acquisition of an advisory lock for this name and schema, which is held until the end of the transaction.
  mutating func advisoryLock(_ what: String, _ name: String) throws(PostgresError) {
    try send("SELECT pg_advisory_xact_lock(hashtext($1), hashtext('mien.' || $2))", [what, name])
  }
}
