public import MienService

extension PostgresStore: HealthCheckable {
  public func reach() async throws {
    try await mapped("Looking at the database") {
      _ = try await pool.read { db in try db.rows("SELECT 1::bigint AS one").count }
    }
  }

  public func checkFreeSpace() async throws {
    if await pool.lacksSpace {
      throw StoreError(.unavailable, reason: "PostgreSQL's disk is full. Free some space there.")
    }
  }
}
