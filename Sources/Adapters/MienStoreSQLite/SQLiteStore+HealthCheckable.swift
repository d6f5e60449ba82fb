internal import GRDB
public import MienService

extension SQLiteStore: HealthCheckable {
  public func reach() async throws {
    // Rereads the first page of the file if another connection has written.
    _ = try await mapped("Looking at the database") {
      try await database.read { db in try Int.fetchOne(db, sql: "PRAGMA schema_version") }
    }
  }
}
