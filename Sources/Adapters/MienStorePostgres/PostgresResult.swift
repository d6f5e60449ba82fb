internal import CPostgres

/// What the database said to one statement.
struct PostgresResult {
  /// The rows that it gave.
  var rows: [PostgresRow] = []
  /// How many rows it wrote.
  var changed = 0
  /// What was done, in the database's words: `COMMIT`, `INSERT 0 1`.
  var command = ""
}

extension PostgresResult {
  /// - Parameter result: libpq's, of a statement that was done; it is only read.
  init(_ result: OpaquePointer) {
    rows = unsafe Self.rows(result)
    changed = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
    command = unsafe String(cString: PQcmdStatus(result))
  }

  private static func rows(_ result: OpaquePointer) -> [PostgresRow] {
    let width = unsafe PQnfields(result)
    var columns: [String: Int] = [:]
    for index in 0..<width {
      if let name = unsafe PQfname(result, index) { unsafe columns[String(cString: name)] = Int(index) }
    }
    return (0..<(unsafe PQntuples(result))).map { row in
      PostgresRow(
        columns: columns,
        cells: (0..<width).map { column in
          guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
            return nil
          }
          let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
          return unsafe Array(bytes)
        })
    }
  }
}
