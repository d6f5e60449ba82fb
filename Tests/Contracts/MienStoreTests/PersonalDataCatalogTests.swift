import Foundation
import GRDB
import MienPlatform
import MienStore
import Testing

@Suite struct `Catalog of personal data` {
  private func database() throws -> DatabaseQueue {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("mien-catalog-\(UUID()).sqlite").path
    defer { for tail in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + tail) } }
    _ = try SQLiteStore(path: path)
    return try DatabaseQueue(path: path)
  }

  @Test func `every table and column is in the catalog`() async throws {
    let found = try await database().read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT t.name AS place, c.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
          WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
          """
      ).map { (table: $0["place"] as String, column: $0["name"] as String) }
    }
    #expect(found.count > 100, "the columns were read")
    let tables = Dictionary(uniqueKeysWithValues: PersonalDataCatalog.tables.map { ($0.name, $0) })
    for (table, column) in found {
      let isListed = tables[table]?.columns.contains(column) == true
      #expect(isListed, "add \(table).\(column) to PersonalDataCatalog, with its owner and the way it is deleted")
      guard column == "upload" || column == "blob" || column.hasSuffix("_blob") else { continue }
      #expect(tables[table]?.fileColumns.contains(column) == true, "\(table).\(column) names a file")
    }
  }

  @Test func `foreign keys exist and records deleted with a check are counted`() async throws {
    for table in PersonalDataCatalog.tables {
      guard case .cascade(let parent) = table.erasure else { continue }
      let cascades = try await database().read { db in
        try String.fetchAll(
          db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?) WHERE on_delete = 'CASCADE'",
          arguments: [table.name])
      }
      #expect(cascades.contains(parent), "\(table.name) is deleted with \(parent)")
      let isOfCheck = table.owner == .check && table.name != "verdict"
      #expect(PersonalDataCatalog.countedTables.contains { $0.table == table.name } == isOfCheck)
    }
  }

  @Test func `only tables deleted with a check refer to it`() throws {
    for table in PersonalDataCatalog.tables where table.columns.contains("check_id") || table.columns.contains("person")
    {
      #expect(table.owner == .check || table.owner == .person || table.owner == .scan || table.owner == .capture)
      #expect(table.erasure != .never && table.erasure != .age)
    }
  }
}
