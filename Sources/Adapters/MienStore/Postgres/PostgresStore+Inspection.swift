public import MienPlatform

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
