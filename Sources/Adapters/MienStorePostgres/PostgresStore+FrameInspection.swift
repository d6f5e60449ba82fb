public import MienService

extension PostgresStore {
  /// Returns the migration state of a database's live realm without changing the database.
  ///
  /// - Returns: The number of completed migrations (0 without a schema, more than `known` if a newer version was used) and the number of
  ///   migrations known to this version.
  /// - Throws: ``StoreError`` with `unavailable` if the database does not respond.
  public static func migrations(at address: PostgresURL) async throws -> (done: Int, known: Int) {
    let pool = PostgresPool(address, schema: address.schema, times: OperationTimings())
    do {
      let done = try await pool.transaction { db -> Int in
        let tables = try db.rows(
          "SELECT 1::bigint AS one FROM pg_tables WHERE schemaname = $1 AND tablename = 'migration'", [address.schema])
        return tables.isEmpty ? 0 : try db.rows("SELECT count(*) AS count FROM mien.migration")[0]["count"]
      }
      return (done, PostgresSchema.migrations.count)
    } catch let fault as PostgresError {
      throw fault.storeError("Opening \(address)")
    }
  }

  /// Reports whether a realm's schema contains a server's encrypted secrets, without changing the database.
  public static func isInUse(at address: PostgresURL, space: Realm) async throws -> Bool {
    let schema = space == .live ? address.schema : address.schema + "_sandbox"
    let pool = PostgresPool(address, schema: schema, times: OperationTimings())
    do {
      return try await pool.transaction { db in
        let tables = try db.rows(
          "SELECT 1::bigint AS one FROM pg_tables WHERE schemaname = $1 AND tablename = 'sealed_secret'", [schema])
        guard !tables.isEmpty else { return false }
        return try !db.rows("SELECT 1::bigint AS one FROM mien.sealed_secret LIMIT 1").isEmpty
      }
    } catch let fault as PostgresError {
      throw fault.storeError("Opening \(address)")
    }
  }
}
