internal import MienPlatform
internal import MienSecurity

/// Raw access to encrypted columns.
extension SQLStore {
  public func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch {
    let key = column.key.joined(separator: ", ")
    let after = try record.map { try Self.values($0, ofKeyOf: column) }
    let edge = SQLQuery(
      // The limits are literals: with a parameterized limit the planner may sort the whole table.
      sql: """
        SELECT \(key) FROM mien.\(column.table)\(after == nil ? "" : " WHERE (\(key)) > (\(Self.places(of: column, from: 1)))")
        ORDER BY \(key) LIMIT \(window)
        """, values: after ?? [])
    return try await read("Looking for values to encrypt") { db in
      guard let last = try db.rows(edge.sql, edge.values).last.map({ try Self.key($0, of: column) }) else {
        return EncryptedBatch(values: [], last: nil)
      }
      var wanted = WhereClauseBuilder()
      if let after { wanted.add("(\(key)) > (\(Self.marks(of: column)))", values: after) }
      wanted.add("(\(key)) <= (\(Self.marks(of: column)))", values: try Self.values(last, ofKeyOf: column))
      wanted.add("\(column.name) IS NOT NULL")
      if let prefix {
        wanted.add("substr(\(Self.comparable(column)), 1, \(prefix.count)) <> ?", values: [Self.bound(prefix, column)])
      }
      let rows = try db.rows(
        """
        SELECT \(key), \(column.name) AS value FROM mien.\(column.table)\(wanted.clause)
        ORDER BY \(key) LIMIT \(limit)
        """, wanted.values)
      let found = try rows.map { EncryptedValue(record: try Self.key($0, of: column), bytes: try $0["value"]) }
      // The window may contain more of them.
      return EncryptedBatch(values: found, last: found.count == limit ? found.last?.record : last)
    }
  }

  public func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int {
    let key = column.key.joined(separator: ", ")
    let sql = """
      UPDATE mien.\(column.table) SET \(column.name) = $1
      WHERE (\(key)) = (\(Self.places(of: column, from: 3))) AND \(Self.comparable(column)) = $2
      """
    return try await transaction("Encrypting values") { db in
      try changes.reduce(0) { count, change in
        let values = [Self.bound(change.new, column), Self.bound(change.old.bytes, column)]
        return try count + db.change(sql, values + Self.values(change.old.record, ofKeyOf: column))
      }
    }
  }

  public func lockedMessages(createdBy time: UnixTime) async throws -> Int {
    try await read("Counting messages") { db in
      try db.count("SELECT count(*) AS count FROM mien.message WHERE ended IS NULL AND created_ms <= $1", [time])
    }
  }

  /// Returns a value in the type of its column.
  private static func bound(_ bytes: [UInt8], _ column: EncryptedColumn) -> (any SQLBindable)? {
    column.isJSON ? String(decoding: bytes, as: UTF8.self) : bytes
  }

  /// Returns an expression for the value that can be compared: PostgreSQL cannot compare JSON.
  private static func comparable(_ column: EncryptedColumn) -> String {
    column.isJSON ? "CAST(\(column.name) AS text)" : column.name
  }

  private static func places(of column: EncryptedColumn, from first: Int) -> String {
    column.key.indices.map { "$\(first + $0)" }.joined(separator: ", ")
  }

  private static func marks(of column: EncryptedColumn) -> String {
    column.key.map { _ in "?" }.joined(separator: ", ")
  }

  private static func values(_ record: [String], ofKeyOf column: EncryptedColumn) throws -> [(any SQLBindable)?] {
    try zip(column.key, record).map { name, text in
      guard EncryptedColumn.isNumber(name) else { return text }
      guard let number = Int64(text) else { throw SQLReadError() }
      return number
    }
  }

  private static func key(_ row: SQLRow, of column: EncryptedColumn) throws -> [String] {
    try column.key.map { EncryptedColumn.isNumber($0) ? "\(try row[$0] as Int64)" : try row[$0] }
  }
}
