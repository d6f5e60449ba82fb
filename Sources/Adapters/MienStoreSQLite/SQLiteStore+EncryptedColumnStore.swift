internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: EncryptedColumnStore {
  public func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch {
    let key = column.key.joined(separator: ", ")
    var arguments: StatementArguments = prefix.map { [$0.count, Data($0)] } ?? []
    var (value, later) = ("CAST(\(column.name) AS BLOB)", "")
    if prefix != nil { value = "CASE WHEN substr(\(value), 1, ?) <> ? THEN \(value) END" }
    if let record {
      later = "WHERE (\(key)) > (\(Self.places(of: column)))"
      arguments += StatementArguments(record)
    }
    let sql = "SELECT \(key), \(value) AS value FROM \(column.table) \(later) ORDER BY \(key) LIMIT ?"
    let (statement, bound) = (sql, arguments + [window])
    return try await mapped("Looking for values to seal") {
      try await database.read { db -> EncryptedBatch in
        var (found, last): ([EncryptedValue], [String]?) = ([], nil)
        let rows = try Row.fetchCursor(db, sql: statement, arguments: bound)
        while found.count < limit, let row = try rows.next() {
          let key: [String] = column.key.map { EncryptedColumn.isNumber($0) ? "\(row[$0] as Int64)" : row[$0] }
          last = key
          guard let bytes = row["value"] as Data? else { continue }
          found.append(EncryptedValue(record: key, bytes: Array(bytes)))
        }
        return EncryptedBatch(values: found, last: last)
      }
    }
  }

  public func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int {
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

  /// Truncates the write-ahead log, which still contains replaced values; in the database file they are overwritten.
  public func purgeReplaced() async throws { try await shrinkLog() }

  private static func places(of column: EncryptedColumn) -> String {
    column.key.map { EncryptedColumn.isNumber($0) ? "CAST(? AS INTEGER)" : "?" }.joined(separator: ", ")
  }
}
