public import MienService

extension PostgresStore: EncryptedColumnStore {
  public func values(
    of column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, after record: [String]?, window: Int, limit: Int
  ) async throws -> EncryptedBatch {
    let key = column.key.joined(separator: ", ")
    var values: [any PostgresBindable] = []
    var (wanted, later) = ("\(column.name) IS NOT NULL", "")
    if let prefix {
      values.append(Self.bound(prefix, column))
      wanted = "(\(Self.differs(column, from: 1))) IS TRUE"
    }
    if let record {
      later = "WHERE (\(key)) > (\(Self.places(of: column, from: values.count + 1)))"
      values += record
    }
    // The numbers are literals: with a parameterized limit the planner may sort the whole table.
    let sql = """
      SELECT \(key),
        CASE WHEN wanted AND count(*) FILTER (WHERE wanted) OVER (ORDER BY \(key)) <= \(limit) THEN value END AS value
      FROM (
        SELECT \(key), \(column.name) AS value, \(wanted) AS wanted
        FROM mien.\(column.table) \(later) ORDER BY \(key) LIMIT \(window)
      ) AS near
      ORDER BY \(key)
      """
    let bound = values
    return try await mapped("Looking for values to seal") {
      let rows = try await pool.read { db in try db.rows(sql, bound) }
      var (found, last): ([EncryptedValue], [String]?) = ([], nil)
      for row in rows {
        let key: [String] = try column.key.map {
          EncryptedColumn.isNumber($0) ? "\(try row[$0] as Int64)" : try row[$0]
        }
        last = key
        guard let bytes = try row[maybe: "value"] as [UInt8]? else { continue }
        found.append(EncryptedValue(record: key, bytes: bytes))
        // The window may contain more of them.
        if found.count == limit { break }
      }
      return EncryptedBatch(values: found, last: last)
    }
  }

  public func replace(_ changes: [EncryptedReplacement], of column: EncryptedColumn) async throws -> Int {
    let (table, name) = (column.table, column.name)
    let key = column.key.joined(separator: ", ")
    // Values of type `json` have no equality operator.
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

  /// Does nothing: PostgreSQL reuses the space of replaced rows later. Guarding.md describes how to reclaim it immediately.
  public func purgeReplaced() async throws {}

  /// Returns a value in the type of its column.
  private static func bound(_ bytes: [UInt8], _ column: EncryptedColumn) -> any PostgresBindable {
    column.isJSON ? String(decoding: bytes, as: UTF8.self) : bytes
  }

  /// Returns the condition that a value does not start with the parameter of this number.
  private static func differs(_ column: EncryptedColumn, from number: Int) -> String {
    column.isJSON
      ? "NOT starts_with(\(column.name)::text, $\(number)::text)"
      : "substring(\(column.name) FROM 1 FOR octet_length($\(number)::bytea)) <> $\(number)::bytea"
  }

  /// Returns placeholders for the key columns; numeric keys are passed as text.
  private static func places(of column: EncryptedColumn, from first: Int) -> String {
    column.key.enumerated().map { index, name in
      EncryptedColumn.isNumber(name) ? "$\(first + index)::text::bigint" : "$\(first + index)"
    }.joined(separator: ", ")
  }
}
