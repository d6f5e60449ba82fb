import Foundation
import GRDB
import MienCore
import MienPlatform
import Testing

@testable import MienStore

/// Migrations on both databases, with a sample migration after the first version.
@Suite struct `Schema migrations` {
  private static let first = "CREATE TABLE mien.sample (id bigint PRIMARY KEY);"
  private static let second = "ALTER TABLE mien.sample ADD COLUMN name text; UPDATE mien.sample SET name = 'none';"

  /// Database in which migrations run in a transaction.
  private enum Place: Sendable {
    case sqlite(DatabaseQueue)
    case postgres(PostgresPool)

    init(_ database: TestDatabase) throws {
      switch database {
      case .sqlite: self = .sqlite(try DatabaseQueue())
      case .postgres:
        let address = try PostgresServer.shared.get().address("&connection_limit=2")
        self = .postgres(PostgresPool(address, schema: address.schema, times: OperationTimings()))
      }
    }

    func transaction<Value: Sendable>(
      _ work: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
      switch self {
      case .sqlite(let queue):
        try await queue.write { db in try work(SQLiteConnection(db: db, syntax: SQLiteSyntax())) }
      case .postgres(let pool): try await pool.run(.transaction, as: "test") { db in try work(db) }
      }
    }

    func migrate(_ scripts: [String]) async throws {
      let migrations = Migrations(scripts)
      switch self {
      case .sqlite: try await transaction { db in try migrations.run(db) }
      case .postgres(let pool):
        let schema = pool.schema
        try await pool.run(.transaction, as: "test") { db in
          try PostgresStore.migrate(db, schema: schema, migrations)
        }
      }
    }

    func versions() async throws -> [Int] {
      try await transaction { db in
        try db.column("version", "SELECT version FROM mien.migration ORDER BY version")
      }
    }
  }

  @Test(arguments: TestDatabase.available) func `migrations run in order and once each`(_ database: TestDatabase)
    async throws
  {
    let place = try Place(database)
    try await place.migrate([Self.first])
    try await place.transaction { db in try db.insert("sample", ["id"], [7]) }
    try await place.migrate([Self.first, Self.second])
    try await place.migrate([Self.first, Self.second])
    #expect(try await place.versions() == [1, 2])
    let names: [String] = try await place.transaction { db in try db.column("name", "SELECT name FROM mien.sample") }
    #expect(names == ["none"])
  }

  @Test(arguments: TestDatabase.available)
  func `a failed migration leaves the database unchanged`(_ database: TestDatabase) async throws {
    let place = try Place(database)
    try await place.migrate([Self.first])
    await #expect(throws: (any Error).self) {
      try await place.migrate([Self.first, Self.second + "SELECT * FROM mien.absent;"])
    }
    #expect(try await place.versions() == [1])
    let hasColumn = try? await place.transaction { db in try db.rows("SELECT name FROM mien.sample").isEmpty }
    #expect(hasColumn == nil)
    try await place.migrate([Self.first, Self.second])
    #expect(try await place.versions() == [1, 2])
  }

  @Test(arguments: TestDatabase.available)
  func `a newer or different migration history is rejected`(_ database: TestDatabase) async throws {
    let place = try Place(database)
    try await place.migrate([Self.first, Self.second])
    let newer = await #expect(throws: StoreError.self) { try await place.migrate([Self.first]) }
    #expect(newer?.reason.contains("newer version") == true)
    let other = await #expect(throws: StoreError.self) {
      try await place.migrate([Self.first, Self.second + " -- changed"])
    }
    #expect(other?.reason.contains("migration 2 differs") == true)
  }

  private struct Interrupted: Error {}

  @Test func `a migration interrupted by a crash leaves the database unchanged on SQLite`() throws {
    let folder = try SQLiteOpener().folder
    let (path, copy) = (folder + "/crashing.sqlite", folder + "/crashed.sqlite")
    let crashing = try DatabasePool(path: path)
    func migrate(_ scripts: [String], _ db: Database) throws {
      try Migrations(scripts).run(SQLiteConnection(db: db, syntax: SQLiteSyntax()))
    }
    try crashing.write { db in
      try migrate([Self.first], db)
      try db.execute(
        sql:
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) INSERT INTO sample SELECT i FROM n"
      )
    }
    #expect(throws: Interrupted.self) {
      try crashing.write { db in
        // Changed pages go to the write-ahead log before the end of the transaction.
        try db.execute(sql: "PRAGMA cache_size = 5; PRAGMA cache_spill = 1")
        try migrate([Self.first, Self.second], db)
        // The files as `kill -9` would leave them.
        for ending in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending) }
        throw Interrupted()
      }
    }
    let crashed = try DatabasePool(path: copy)
    try crashed.write { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      #expect(try Int.fetchAll(db, sql: "SELECT version FROM migration") == [1])
      #expect(try Row.fetchOne(db, sql: "SELECT * FROM sample")?.columnNames.count == 1)
      try migrate([Self.first, Self.second], db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sample WHERE name = 'none'") == 2000)
    }
  }

  @Test(.enabled(if: PostgresServer.isInstalled))
  func `a migration interrupted by a lost connection leaves the database unchanged on PostgreSQL`() async throws {
    let place = try Place(.postgres)
    try await place.migrate([Self.first])
    await #expect(throws: PostgresError(.lost)) {
      try await place.migrate([Self.first, Self.second + "SELECT pg_terminate_backend(pg_backend_pid());"])
    }
    #expect(try await place.versions() == [1])
    try await place.migrate([Self.first, Self.second])
    #expect(try await place.versions() == [1, 2])
  }

  @Test func `a store rejects a database with unknown migrations`() async throws {
    let opener = try SQLiteOpener()
    _ = try await opener.open("main").write("Test") { db in
      try db.insert("migration", ["version", "digest"], [2, ""])
    }
    let error = await #expect(throws: StoreError.self) { _ = try await opener.open("main") }
    #expect(error?.reason.contains("newer version") == true)
    #expect(throws: StoreError.self) { try SQLiteStore.examine(opener.folder + "/main.sqlite") }
  }
}
