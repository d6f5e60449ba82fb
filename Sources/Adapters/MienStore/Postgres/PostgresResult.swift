internal import CPostgres

/// Result of one statement.
struct PostgresResult {
  /// Returned rows.
  var rows: [SQLRow] = []
  /// Number of affected rows.
  var changed = 0
  /// Command tag of the database, such as `COMMIT` or `INSERT 0 1`.
  var command = ""
}

extension PostgresResult {
  /// Copies a libpq result; returns `nil` if it has a column of an unsupported type.
  ///
  /// - Parameter result: Result of a successful statement, which is only read.
  init?(_ result: OpaquePointer) {
    guard let rows = unsafe Self.rows(result) else { return nil }
    self.rows = rows
    changed = unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
    command = unsafe String(cString: PQcmdStatus(result))
  }

  private static func rows(_ result: OpaquePointer) -> [SQLRow]? {
    let width = unsafe PQnfields(result)
    var columns: [String: Int] = [:]
    for index in 0..<width {
      if let name = unsafe PQfname(result, index) { unsafe columns[String(cString: name)] = Int(index) }
    }
    let types = (0..<width).map { unsafe PQftype(result, $0) }
    var rows: [SQLRow] = []
    for row in 0..<(unsafe PQntuples(result)) {
      var values: [SQLValue] = []
      for column in 0..<width {
        guard unsafe PQgetisnull(result, row, column) == 0, let start = unsafe PQgetvalue(result, row, column) else {
          values.append(.null)
          continue
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        guard let value = unsafe value(bytes, of: types[Int(column)]) else { return nil }
        values.append(value)
      }
      rows.append(SQLRow(columns: columns, values: values))
    }
    return rows
  }

  /// Decodes the binary format of a type, which is given by its object ID.
  private static func value(_ bytes: UnsafeRawBufferPointer, of type: Oid) -> SQLValue? {
    switch type {
    case 16, 20, 21, 23, 26:  // bool, bigint, smallint, integer, oid
      guard let first = unsafe bytes.first, bytes.count <= 8 else { return nil }
      // Sign extension, which a Boolean value and an object ID do not need.
      let start: Int64 = [20, 21, 23].contains(type) && first >= 0x80 ? -1 : 0
      return unsafe .integer(bytes.reduce(start) { $0 << 8 | Int64($1) })
    case 701:  // double precision
      guard bytes.count == 8 else { return nil }
      return unsafe .real(Double(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    case 17, 2278:  // bytea, void
      return unsafe .bytes(Array(bytes))
    case 19, 25, 114, 1043:  // name, text, json, varchar
      return unsafe String(validating: bytes, as: UTF8.self).map { .text($0) }
    default:
      return nil
    }
  }
}
