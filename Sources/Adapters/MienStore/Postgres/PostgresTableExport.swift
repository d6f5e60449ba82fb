public import MienPlatform

/// Reads and writes all records of a schema while no server uses it.
public final class PostgresTableExport: TableExport {
  private let connection: PostgresConnection
  private let schema: String
  private var open: (table: StoreTable, rows: ArraySlice<[StoreValue]>, isLast: Bool)?
  private var known: [String: [String: StoreValue.Kind]] = [:]

  private init(_ connection: PostgresConnection, schema: String) {
    self.connection = connection
    self.schema = schema
  }

  /// Creates or migrates the schema, and runs `work` atomically in one transaction. No server can join meanwhile.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if servers are active; errors of `work`.
  public static func whole<Value>(
    _ address: PostgresURL, realm: Realm, _ work: (PostgresTableExport) throws -> Value
  ) throws -> Value {
    let schema = address.schema(of: realm)
    do {
      let tables = PostgresTableExport(try PostgresConnection.to(address, schema: schema), schema: schema)
      return try tables.transaction { try work(tables) }
    } catch let fault as PostgresError {
      throw fault.storeError("Copying with \(address)")
    }
  }

  private func transaction<Value>(_ work: () throws -> Value) throws -> Value {
    try connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
    do {
      try PostgresStore.migrate(connection, schema: schema)
      try connection.lock("mien servers", "")
      guard try connection.rows("SELECT id FROM (\(PostgresStore.activeServers)) AS s").isEmpty else {
        throw StoreError(
          .unavailable,
          reason: """
            A server is at work on \(schema), or was \(PostgresStore.timeout) seconds ago. End it, wait so long, and \
            begin again.
            """)
      }
      let names = try kinds().keys.sorted()
      // Also excludes writes by commands that run without a server.
      try connection.script("LOCK TABLE \(names.map { "mien.\($0)" }.joined(separator: ", ")) IN EXCLUSIVE MODE")
      // Whole tables are sorted for the comparison.
      try connection.disableStatementTimeout()
      let value = try work()
      try connection.script("COMMIT")
      return value
    } catch {
      if !connection.isOver { try? connection.script("ROLLBACK") }
      throw error
    }
  }

  public func kinds() throws -> [String: [String: StoreValue.Kind]] {
    guard known.isEmpty else { return known }
    let kinds: [String: StoreValue.Kind] = [
      "bigint": .integer, "double precision": .real, "text": .text, "json": .text, "bytea": .bytes,
    ]
    let rows = try connection.rows(
      """
      SELECT table_name::text AS place, column_name::text AS name, data_type::text AS kind
      FROM information_schema.columns WHERE table_schema || '.' = 'mien.'
      """)
    for row in rows {
      let (table, column): (String, String) = (try row["place"], try row["name"])
      guard !ServerTables.names.contains(table), !ServerTables.columns.contains(column) else { continue }
      known[table, default: [:]][column] = kinds[try row["kind"]]
    }
    return known
  }

  public func open(_ table: StoreTable) throws {
    if open != nil { try connection.script("CLOSE record") }
    open = nil
    let kinds = try kinds()[table.name] ?? [:]
    let order =
      table.keepsArrival
      ? "arrival" : table.key.map { kinds[$0] == .text ? "\($0) COLLATE \"C\"" : $0 }.joined(separator: ", ")
    try connection.script(
      """
      DECLARE record NO SCROLL CURSOR FOR
      SELECT \(table.columns.joined(separator: ", ")) FROM mien.\(table.name) ORDER BY \(order)
      """)
    open = (table, [], false)
  }

  public func next() throws -> [StoreValue]? {
    guard var reading = open else { return nil }
    if reading.rows.isEmpty, !reading.isLast {
      let kinds = try kinds()[reading.table.name] ?? [:]
      // If the table contains files, only a few rows fit in memory.
      let count = kinds["bytes"] == .bytes ? 4 : 100
      let rows = try connection.rows("FETCH \(count) FROM record")
      reading.rows = try rows.map { row in
        try reading.table.columns.map { try Self.value(of: $0, kinds[$0], in: row) }
      }[...]
      reading.isLast = rows.count < count
    }
    let row = reading.rows.popFirst()
    open = reading
    return row
  }

  private static func value(of column: String, _ kind: StoreValue.Kind?, in row: SQLRow) throws -> StoreValue {
    switch kind {
    case .integer: try (row[optional: column] as Int64?).map { .integer($0) } ?? .empty
    case .real: try (row[optional: column] as Double?).map { .real($0) } ?? .empty
    case .text: try (row[optional: column] as String?).map { .text($0) } ?? .empty
    case .bytes: try (row[optional: column] as [UInt8]?).map { .bytes($0) } ?? .empty
    case nil: throw SQLReadError()
    }
  }

  public func insert(_ records: [[StoreValue]], into table: StoreTable) throws {
    do {
      try connection.insert(
        table.name, table.columns,
        records.map { record in
          record.map { value -> (any SQLBindable)? in
            switch value {
            case .empty: nil
            case .integer(let number): number
            case .real(let number): number
            case .text(let text): text
            case .bytes(let bytes): bytes
            }
          }
        })
      try connection.settle()
    } catch {
      throw error.storeError("Copying \(table.name)")
    }
  }
}
