internal import CPostgres

/// Result of one statement.
struct PostgresResult {
  /// Returned rows.
  var rows: [PostgresRow] = []
  /// Number of affected rows.
  var changed = 0
  /// Command tag of the database, such as `COMMIT` or `INSERT 0 1`.
  var command = ""
}

extension PostgresResult {
  /// Copies a libpq result.
  ///
  /// - Parameter result: Result of a successful statement, which is only read.
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
