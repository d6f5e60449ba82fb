extension SQLiteStore {
  public func reach() async throws {
    // Rereads the first page of the file if another connection has written.
    _ = try await read("Reaching the database") { db in try db.rows("PRAGMA schema_version") }
  }
}
