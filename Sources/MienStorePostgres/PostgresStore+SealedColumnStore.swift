public import MienService

extension PostgresStore: SealedColumnStore {
  public func values(
    of column: SealedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, limit: Int
  ) async throws -> [ColumnValue] {
    let key = column.key.joined(separator: ", ")
    var values: [any PostgresBindable] = [limit]
    var wanted = "\(column.name) IS NOT NULL"
    if let prefix {
      values.append(Self.bound(prefix, column))
      wanted = Self.differs(column, from: 2)
    }
    if let record {
      wanted += " AND (\(key)) > (\(Self.places(of: column, from: values.count + 1)))"
      values += record
    }
    let sql = """
      SELECT \(key), \(column.name) AS value FROM mien.\(column.table) WHERE \(wanted) ORDER BY \(key) LIMIT $1
      """
    let bound = values
    return try await mapped("Looking for values to seal") {
      try await pool.read { db in
        try db.rows(sql, bound).map { row in
          ColumnValue(
            record: try column.key.map { SealedColumn.isNumber($0) ? "\(try row[$0] as Int64)" : try row[$0] },
            bytes: try row["value"])
        }
      }
    }
  }

  public func count(of column: SealedColumn, notBeginningWith prefix: [UInt8]) async throws -> Int {
    try await mapped("Counting values to seal") {
      try await pool.read { db in
        try db.rows(
          "SELECT count(*) AS count FROM mien.\(column.table) WHERE \(Self.differs(column, from: 1))",
          [Self.bound(prefix, column)])[0]["count"]
      }
    }
  }

  public func replace(_ changes: [ColumnChange], of column: SealedColumn) async throws -> Int {
    let (table, name) = (column.table, column.name)
    let key = column.key.joined(separator: ", ")
    // Values of `json` do not compare.
    let same = column.isJSON ? "\(name)::text = $2::text" : "\(name) = $2"
    let sql = """
      UPDATE mien.\(table) SET \(name) = $1 WHERE (\(key)) = (\(Self.places(of: column, from: 3))) AND \(same)
      """
    return try await mapped("Sealing values") {
      try await pool.transaction { db in
        var count = 0
        for change in changes {
          count += try db.change(
            sql, [Self.bound(change.new, column), Self.bound(change.old.bytes, column)] + change.old.record)
        }
        return count
      }
    }
  }

  public func lockedMessages(createdBy time: UnixTime) async throws -> Int {
    try await mapped("Counting messages") {
      try await pool.read { db in
        try db.rows(
          "SELECT count(*) AS count FROM mien.message WHERE ended IS NULL AND created_ms <= $1", [time.milliseconds])[
            0][
            "count"]
      }
    }
  }

  /// The database reuses the room of what was replaced in its own time; Guarding.md says how to have it done at once.
  public func forgetReplaced() async throws {}

  /// A value as its column takes it.
  private static func bound(_ bytes: [UInt8], _ column: SealedColumn) -> any PostgresBindable {
    column.isJSON ? String(decoding: bytes, as: UTF8.self) : bytes
  }

  /// True of values that do not begin with the argument of this number.
  private static func differs(_ column: SealedColumn, from number: Int) -> String {
    column.isJSON
      ? "NOT starts_with(\(column.name)::text, $\(number)::text)"
      : "substring(\(column.name) FROM 1 FOR octet_length($\(number)::bytea)) <> $\(number)::bytea"
  }

  /// Numbers come as texts as well.
  private static func places(of column: SealedColumn, from first: Int) -> String {
    column.key.enumerated().map { index, name in
      SealedColumn.isNumber(name) ? "$\(first + index)::text::bigint" : "$\(first + index)"
    }.joined(separator: ", ")
  }
}
