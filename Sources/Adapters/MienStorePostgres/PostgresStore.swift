public import MienService

/// Keeps everything in PostgreSQL: for several servers on one database.
///
/// Each space has a schema of its own. What a method has acknowledged has been committed, and with the database's usual
/// settings synchronised to its disk. All of a transaction is done by one connection, so that any pooler will do.
public struct PostgresStore: Sendable {
  let pool: PostgresPool
  /// Seals what shows a face or was measured in one.
  let keyring: ColumnCipher
  /// The name of the server that works with this store.
  let server: String

  /// Connects, and makes the schema or brings it up to date; of several servers that start at once one does it.
  ///
  /// - Parameters:
  ///   - space: the live one has the address's schema, the sandbox that name with `_sandbox` behind it.
  ///   - server: 1 to 64 characters that no other server on this database has; what it takes up has this name beside it.
  ///   - seal: closes what shows a face or was measured in one; nil keeps it open.
  ///   - times: counts what the database takes, and waiting for it.
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

  /// Runs `work` and turns the database's faults into the service's errors.
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
  /// What comes next in this transaction is done when nobody else is within the same turn of this schema, until the transaction ends.
  mutating func advisoryLock(_ what: String, _ name: String) throws(PostgresError) {
    try send("SELECT pg_advisory_xact_lock(hashtext($1), hashtext('mien.' || $2))", [what, name])
  }
}
