public import MienService

extension PostgresStore {
  /// How far the schema of a database's live space is, without making or changing anything there.
  ///
  /// - Returns: how many of the migrations that this program knows were done; none where there is no schema yet, more than it knows
  ///   where a newer program was at work.
  /// - Throws: ``StoreError`` with `unavailable` where the database does not answer.
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

  /// True when the schema of a space holds a server's sealed secrets. Makes and changes nothing.
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
