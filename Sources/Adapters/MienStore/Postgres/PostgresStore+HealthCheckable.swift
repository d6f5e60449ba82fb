internal import MienPlatform

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
