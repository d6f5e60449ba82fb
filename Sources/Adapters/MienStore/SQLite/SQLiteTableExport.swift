internal import Foundation
internal import GRDB
public import MienPlatform

/// Reads and writes all records of a database file with exclusive access.
public final class SQLiteTableExport: TableExport {
  private let db: Database
  private var cursor: RowCursor?
  /// Flags that indicate the text columns of the table being read.
  private var texts: [Bool] = []
  private var known: [String: [String: StoreValue.Kind]] = [:]

  private init(_ db: Database) { self.db = db }

  /// Opens or creates the database at `path`, migrates it, and runs `work` atomically in one transaction.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if another process has the database open; errors of `work`.
  public static func whole<Value>(_ path: String, _ work: (SQLiteTableExport) throws -> Value) throws -> Value {
    do {
      if FileManager.default.fileExists(atPath: path) {
        // A server that is using the database prevents this, so the database is not migrated either.
        let probe = try open(path)
        try probe.inDatabase { db in _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") }
        try probe.close()
      }
      _ = try SQLiteStore(path: path)
      let queue = try open(path)
      defer { try? queue.close() }
      var value: Value?
      try queue.inTransaction(.immediate) { db in
        let tables = SQLiteTableExport(db)
        value = try work(tables)
        // A transaction cannot end while a cursor is open.
        tables.cursor = nil
        return .commit
      }
      guard let value else { preconditionFailure("the work was done") }
      return value
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {
      throw StoreError(
        .unavailable, reason: "Another process has the database \(path) open. Stop the server and other commands first."
      )
    } catch let error as DatabaseError {
      throw StoreError(.unavailable, reason: "The database \(path) failed: \(SQLiteStore.publicText(error)).")
    }
  }

  /// Opens the database with an exclusive lock.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(2)
    configuration.publicStatementArguments = false
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL")
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Returns the tables with their columns, keys, and parents.
  public func tables() throws -> [StoreTable] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
        """)
    return try names.filter { !ServerTables.names.contains($0) }.map { name in
      let columns = try Row.fetchAll(
        db, sql: "SELECT name, pk FROM pragma_table_info(?) ORDER BY cid", arguments: [name])
      let parents = try String.fetchSet(db, sql: "SELECT \"table\" FROM pragma_foreign_key_list(?)", arguments: [name])
      return StoreTable(
        name: name, columns: columns.map { $0["name"] }.filter { !ServerTables.columns.contains($0) },
        key: columns.filter { $0["pk"] > 0 }.sorted { $0["pk"] < $1["pk"] as Int }.map { $0["name"] },
        parents: parents)
    }
  }

  public func kinds() throws -> [String: [String: StoreValue.Kind]] {
    guard known.isEmpty else { return known }
    let kinds: [String: StoreValue.Kind] = ["INTEGER": .integer, "REAL": .real, "TEXT": .text, "BLOB": .bytes]
    for table in try tables() {
      for row in try Row.fetchAll(db, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table.name]) {
        guard !ServerTables.columns.contains(row["name"]) else { continue }
        known[table.name, default: [:]][row["name"]] = kinds[row["type"]]
      }
    }
    return known
  }

  public func open(_ table: StoreTable) throws {
    let order = table.keepsArrival ? ["rowid"] : table.key
    texts = try texts(of: table)
    // Text is read as bytes, because SQLite's text ends at a zero character.
    let columns = zip(table.columns, texts).map { name, isText in isText ? "CAST(\"\(name)\" AS BLOB)" : "\"\(name)\"" }
    cursor = try Row.fetchCursor(
      db,
      sql: "SELECT \(columns.joined(separator: ", ")) FROM \"\(table.name)\" ORDER BY \(Self.list(order))")
  }

  /// Returns a flag for each column that indicates whether it contains text.
  private func texts(of table: StoreTable) throws -> [Bool] {
    let kinds = try kinds()[table.name]
    return table.columns.map { kinds?[$0] == .text }
  }

  public func next() throws -> [StoreValue]? {
    guard let row = try cursor?.next() else { return nil }
    return try zip(row.databaseValues, texts).map { value, isText in
      if isText, case .blob(let data) = value.storage {
        guard let text = String(validating: data, as: UTF8.self) else {
          throw StoreError(
            .unavailable, reason: "The database holds a text that is not valid UTF-8. Restore it from a backup.")
        }
        return .text(text)
      }
      return switch value.storage {
      case .null: .empty
      case .int64(let number): .integer(number)
      case .double(let number): .real(number)
      case .string(let text): .text(text)
      case .blob(let data): .bytes(Array(data))
      }
    }
  }

  public func insert(_ records: [[StoreValue]], into table: StoreTable) throws {
    let places = try texts(of: table).map { $0 ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ")
    let statement = try db.cachedStatement(
      sql: "INSERT INTO \"\(table.name)\" (\(Self.list(table.columns))) VALUES (\(places))")
    for record in records {
      try statement.execute(
        arguments: StatementArguments(
          record.map { value -> (any DatabaseValueConvertible)? in
            switch value {
            case .empty: nil
            case .integer(let number): number
            case .real(let number): number
            case .text(let text): Data(text.utf8)
            case .bytes(let bytes): Data(bytes)
            }
          }))
    }
  }

  private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}
