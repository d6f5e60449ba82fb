internal import Foundation
internal import GRDB

/// SQLite database within a read or a transaction. Statements are prepared once per connection.
struct SQLiteConnection: SQLConnection {
  let db: Database
  let syntax: SQLiteSyntax

  func execute(_ sql: String, _ values: [(any SQLBindable)?]) throws {
    let statement = try db.cachedStatement(sql: syntax.statement(sql).sql)
    try statement.execute(arguments: Self.arguments(values))
  }

  func change(_ sql: String, _ values: [(any SQLBindable)?]) throws -> Int {
    try execute(sql, values)
    return db.changesCount
  }

  func rows(_ sql: String, _ values: [(any SQLBindable)?]) throws -> [SQLRow] {
    let known = syntax.statement(sql)
    let statement = try db.cachedStatement(sql: known.sql)
    let cursor = try Row.fetchCursor(statement, arguments: Self.arguments(values))
    var columns = known.columns
    var rows: [SQLRow] = []
    while let row = try cursor.next() {
      if columns == nil {
        let names = Self.columns(of: statement)
        syntax.note(names, of: sql)
        columns = names
      }
      rows.append(SQLRow(columns: columns ?? [:], values: row.databaseValues.map { SQLValue($0) }))
    }
    return rows
  }

  func insert(_ table: String, _ columns: [String], _ rows: [[(any SQLBindable)?]]) throws {
    let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let sql = "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))"
    for row in rows { try db.cachedStatement(sql: sql).execute(arguments: Self.arguments(row)) }
  }

  func script(_ sql: String) throws { try db.execute(sql: SQLiteSyntax.translate(sql)) }

  /// Does nothing: there is a single writer.
  func lock(_ what: String, _ name: String) throws {}

  private static func columns(of statement: Statement) -> [String: Int] {
    Dictionary(statement.columnNames.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static func arguments(_ values: [(any SQLBindable)?]) -> StatementArguments {
    StatementArguments(values.map { $0.map { DatabaseValue($0.sqlValue) } ?? .null })
  }
}

extension SQLValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = .real(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .bytes(Array(data))
    }
  }
}

extension DatabaseValue {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = number.databaseValue
    case .real(let number): self = number.databaseValue
    case .text(let text): self = text.databaseValue
    case .bytes(let bytes): self = Data(bytes).databaseValue
    }
  }
}
