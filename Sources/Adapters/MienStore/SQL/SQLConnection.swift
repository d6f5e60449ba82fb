/// Connection to a database for one read or transaction. It blocks the calling thread.
///
/// Statements are written in the SQL of PostgreSQL, with parameters `$1`, `$2`, … and tables in the schema `mien`. `SQLiteSyntax` lists
/// what is translated for SQLite.
protocol SQLConnection {
  /// Executes a statement whose result is not needed. Its error may be thrown later, at the latest at the end of the transaction.
  func execute(_ sql: String, _ values: [(any SQLBindable)?]) throws
  /// Executes a statement and returns the number of affected rows.
  func change(_ sql: String, _ values: [(any SQLBindable)?]) throws -> Int
  /// Executes a statement and returns its rows.
  func rows(_ sql: String, _ values: [(any SQLBindable)?]) throws -> [SQLRow]
  /// Inserts any number of rows, as ``execute(_:_:)`` does.
  func insert(_ table: String, _ columns: [String], _ rows: [[(any SQLBindable)?]]) throws
  /// Executes any number of statements without parameters.
  func script(_ sql: String) throws
  /// Waits until no other transaction holds the lock of this name, and holds it until the end of the transaction.
  func lock(_ what: String, _ name: String) throws
}

extension SQLConnection {
  func execute(_ sql: String) throws { try execute(sql, []) }

  @discardableResult
  func change(_ sql: String) throws -> Int { try change(sql, []) }

  func rows(_ sql: String) throws -> [SQLRow] { try rows(sql, []) }

  /// Executes a statement and returns its first row.
  func first(_ sql: String, _ values: [(any SQLBindable)?] = []) throws -> SQLRow? { try rows(sql, values).first }

  /// Executes a statement and returns the values in the column of this name.
  func column<Value: SQLReadable>(
    _ name: String, _ sql: String, _ values: [(any SQLBindable)?] = []
  ) throws -> [Value] {
    try rows(sql, values).map { try $0[name] }
  }

  /// Executes a statement that counts, and returns the value of its only row in the column `count`.
  func count<Value: SQLReadable>(_ sql: String, _ values: [(any SQLBindable)?] = []) throws -> Value {
    guard let row = try first(sql, values) else { throw SQLReadError() }
    return try row["count"]
  }

  /// Reports whether a statement returns rows.
  func exists(_ sql: String, _ values: [(any SQLBindable)?] = []) throws -> Bool { try !rows(sql, values).isEmpty }

  /// Inserts one row.
  func insert(_ table: String, _ columns: [String], _ row: [(any SQLBindable)?]) throws {
    try insert(table, columns, [row])
  }
}
