internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: SealedColumnStore {
  public func values(
    of column: SealedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, limit: Int
  ) async throws -> [ColumnValue] {
    let key = column.key.joined(separator: ", ")
    var arguments: StatementArguments = prefix.map { [$0.count, Data($0)] } ?? []
    var later = ""
    if let record {
      later = " AND (\(key)) > (\(Self.places(of: column)))"
      arguments += StatementArguments(record)
    }
    let sql = """
      SELECT \(key), CAST(\(column.name) AS BLOB) AS value FROM \(column.table)
      WHERE \(prefix == nil ? "\(column.name) IS NOT NULL" : Self.differs(column))\(later) ORDER BY \(key) LIMIT ?
      """
    let (statement, bound) = (sql, arguments + [limit])
    return try await mapped("Looking for values to seal") {
      try await database.read { db in
        try Row.fetchAll(db, sql: statement, arguments: bound).map { row in
          ColumnValue(
            record: column.key.map { SealedColumn.isNumber($0) ? "\(row[$0] as Int64)" : row[$0] },
            bytes: Array(row["value"] as Data))
        }
      }
    }
  }

  public func count(of column: SealedColumn, notBeginningWith prefix: [UInt8]) async throws -> Int {
    try await mapped("Counting values to seal") {
      try await database.read { db in
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(column.table) WHERE \(Self.differs(column))",
          arguments: [prefix.count, Data(prefix)])
        guard let count else { throw Self.damaged("the number of values") }
        return count
      }
    }
  }

  public func replace(_ changes: [ColumnChange], of column: SealedColumn) async throws -> Int {
    let (table, name) = (column.table, column.name)
    let place = column.isJSON ? "CAST(? AS TEXT)" : "?"
    let key = column.key.joined(separator: ", ")
    let sql = """
      UPDATE \(table) SET \(name) = \(place) WHERE (\(key)) = (\(Self.places(of: column))) AND \(name) = \(place)
      """
    return try await mapped("Sealing values") {
      try await database.write { db in
        try changes.reduce(0) { count, change in
          try db.execute(
            sql: sql,
            arguments: [Data(change.new)] + StatementArguments(change.old.record) + [Data(change.old.bytes)])
          return count + db.changesCount
        }
      }
    }
  }

  public func lockedMessages(createdBy time: UnixTime) async throws -> Int {
    try await mapped("Counting messages") {
      try await database.read { db in
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM message WHERE ended IS NULL AND created_ms <= ?",
          arguments: [time.milliseconds])
        guard let count else { throw Self.damaged("the number of messages") }
        return count
      }
    }
  }

  /// What is replaced is overwritten in the file; the log still holds it.
  public func forgetReplaced() async throws { try await shrinkLog() }

  /// True of values that do not begin as they should; takes the beginning's length and bytes.
  private static func differs(_ column: SealedColumn) -> String {
    "\(column.name) IS NOT NULL AND substr(CAST(\(column.name) AS BLOB), 1, ?) <> ?"
  }

  private static func places(of column: SealedColumn) -> String {
    column.key.map { SealedColumn.isNumber($0) ? "CAST(? AS INTEGER)" : "?" }.joined(separator: ", ")
  }
}
