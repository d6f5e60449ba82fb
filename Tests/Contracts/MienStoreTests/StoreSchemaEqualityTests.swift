import Foundation
import GRDB
import MienPlatform
import MienStore
import Testing

@testable import MienStore

/// Both databases have the same tables and columns.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct `Tables of both stores` {
  @Test func `tables have the same names, columns and types`() async throws {
    let embedded = try await embedded()
    let store = try await PostgresStore(PostgresServer.shared.get().address())
    let rows = try await store.read("Test") { db in
      try db.rows(
        """
        SELECT table_name::text AS place, column_name::text AS name, data_type::text AS kind, is_nullable::text AS optional
        FROM information_schema.columns
        WHERE table_schema || '.' = 'mien.' AND table_name <> 'migration' AND is_identity = 'NO'
        """)
    }
    let kinds = ["bigint": "INTEGER", "text": "TEXT", "json": "TEXT", "bytea": "BLOB", "double precision": "REAL"]
    var found: Set<String> = []
    for row in rows {
      let (place, name, kind) = (try row["place"] as String, try row["name"] as String, try row["kind"] as String)
      let isReference = place == "liveness_check" && name == "reference" && kind == "bytea"
      let need = try row["optional"] as String == "YES" ? "" : " NOT NULL"
      found.insert("\(place).\(name) \(isReference ? "TEXT" : try #require(kinds[kind]))\(need)")
    }
    #expect(embedded.count > 100, "the embedded store's columns were read")
    #expect(embedded.subtracting(found).sorted() == [], "PostgreSQL lacks these")
    #expect(found.subtracting(embedded).sorted() == [], "SQLite lacks these")
  }

  @Test func `every table is in the catalog of personal data`() async throws {
    let store = try await PostgresStore(PostgresServer.shared.get().address())
    let rows = try await store.read("Test") { db in
      try db.rows(
        """
        SELECT table_name::text AS place, column_name::text AS name FROM information_schema.columns
        WHERE table_schema || '.' = 'mien.'
        """)
    }
    let found = Set(try rows.map { "\(try $0["place"] as String).\(try $0["name"] as String)" })
    let listed = Set(PersonalDataCatalog.tables.flatMap { table in table.columns.map { "\(table.name).\($0)" } })
    #expect(found.subtracting(listed).sorted() == [], "add these to PersonalDataCatalog with their owners")
    #expect(listed.subtracting(found).sorted() == [], "the catalog lists these, but they do not exist")
  }

  /// Returns every column of the embedded store as `table.column KIND`, and whether it is required.
  private func embedded() async throws -> Set<String> {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-tables-\(UUID()).sqlite").path
    defer { for tail in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + tail) } }
    _ = try SQLiteStore(path: path)
    return try await DatabaseQueue(path: path).read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS place, c.name AS name, c.type AS kind, c."notnull" AS need
          FROM sqlite_schema t JOIN pragma_table_info(t.name) c
          WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'migration'
          """)
      return Set(
        rows.map { row in
          "\(row["place"] as String).\(row["name"] as String) \(row["kind"] as String)"
            + (row["need"] as Bool ? " NOT NULL" : "")
        })
    }
  }
}
