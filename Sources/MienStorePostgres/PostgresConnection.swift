internal import CPostgres
internal import Dispatch
internal import Foundation

/// One connection to PostgreSQL, and the only owner of libpq's handle. It waits on the thread of whoever calls it.
///
/// A statement that is not over in time ends the connection: what the server still does with it is not waited for.
@safe struct PostgresConnection: ~Copyable {
  private let handle: OpaquePointer
  private let prepares: Bool
  /// What `mien.` stands for in statements.
  private let schema: String
  /// What was prepared on this connection, by its text.
  private var names: [String: String] = [:]
  /// True when it is of no use any more.
  private(set) var isOver = false
  /// How long the statement that is sent now may take, in seconds.
  private var patience = PostgresConnection.patience

  /// How long one statement may take, in seconds. A migration rewrites whole tables, and moving a store sorts them; one that
  /// is cut off would begin anew every time.
  private static let (patience, longPatience) = (30.0, 3600.0)
  /// As many statements are kept prepared; there are about a hundred in all.
  private static let largestShelf = 256

  private init(_ handle: OpaquePointer, prepares: Bool, schema: String) {
    unsafe self.handle = handle
    self.prepares = prepares
    self.schema = schema
  }

  /// Connects; gives up after what the address says, ten seconds when it says nothing.
  ///
  /// - Parameter schema: where the tables are; statements call it `mien.`
  static func to(_ address: PostgresAddress, schema: String) throws(PostgresFault) -> PostgresConnection {
    var made = unsafe PostgresConnection(try handle(address), prepares: address.keepsSessions, schema: schema)
    // What the client has given up must not hold locks for ever. Behind a pooler it would be set for whoever comes next.
    if address.keepsSessions {
      try made.script(
        "SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'; SET synchronous_commit = on")
    }
    return made
  }

  private static func handle(_ address: PostgresAddress) throws(PostgresFault) -> OpaquePointer {
    var words = address.words
    // Routers forget a connection that is silent for minutes, as it is while a migration runs.
    let usual = [
      ("connect_timeout", "10"), ("tcp_user_timeout", "30000"), ("keepalives_idle", "60"), ("application_name", "mien"),
    ]
    words += usual.filter { usual in !words.contains { $0.keyword == usual.0 } }
    words.append(("client_encoding", "UTF8"))
    let keywords = unsafe words.map { unsafe strdup($0.keyword) }
    let values = unsafe words.map { unsafe strdup($0.value) }
    defer { unsafe (keywords + values).forEach { unsafe free($0) } }
    let made = unsafe PQconnectdbParams(
      keywords.map { unsafe UnsafePointer($0) } + [nil], values.map { unsafe UnsafePointer($0) } + [nil], 0)
    guard let made = unsafe made else { throw PostgresFault(.unreachable("there is no memory.")) }
    guard unsafe PQstatus(made) == CONNECTION_OK else {
      let words = unsafe String(cString: PQerrorMessage(made)).split(separator: "\n").first
      unsafe PQfinish(made)
      throw PostgresFault(.unreachable(words.map { String($0) } ?? "PostgreSQL cannot be reached."))
    }
    // Notices go nowhere: they may quote what is being written.
    _ = unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    return unsafe made
  }

  deinit { unsafe PQfinish(handle) }

  /// True when the server has not hung up meanwhile; looks without asking it.
  mutating func isAlive() -> Bool {
    guard !isOver else { return false }
    var look = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    // First come its last words, then the end.
    while unsafe poll(&look, 1, 0) > 0 {
      if unsafe PQconsumeInput(handle) == 0 { break }
    }
    isOver = unsafe PQstatus(handle) != CONNECTION_OK || PQtransactionStatus(handle) != PQTRANS_IDLE
    return !isOver
  }

  /// Runs statements without values, any number of them.
  mutating func script(_ sql: String) throws(PostgresFault) {
    try sent(unsafe PQsendQuery(handle, placed(sql)))
    _ = try answer()
  }

  /// Runs a statement and returns its rows.
  mutating func rows(
    _ sql: String, _ values: [(any PostgresBindable)?] = []
  ) throws(PostgresFault) -> [PostgresRow] {
    try execute(sql, values).rows
  }

  /// Runs a statement and returns how many rows it wrote.
  @discardableResult
  mutating func change(_ sql: String, _ values: [(any PostgresBindable)?] = []) throws(PostgresFault) -> Int {
    try execute(sql, values).changed
  }

  private mutating func execute(
    _ sql: String, _ values: [(any PostgresBindable)?]
  ) throws(PostgresFault) -> (rows: [PostgresRow], changed: Int) {
    let name = prepares ? try prepared(sql) : nil
    let bound = values.map { $0?.bound }
    // One piece of memory holds all values, each with a zero byte behind it, as text forms want it.
    let memory: [UInt8] = bound.flatMap { value -> [UInt8] in (value?.bytes ?? []) + [0] }
    let lengths = bound.map { Int32($0?.bytes.count ?? 0) }
    let formats = bound.map { Int32($0?.isBinary == true ? 1 : 0) }
    let isOnItsWay = unsafe memory.withUnsafeBytes { memory in
      var pointers: [UnsafePointer<CChar>?] = unsafe []
      var offset = 0
      for value in bound {
        let start = unsafe memory.baseAddress.map { unsafe ($0 + offset).assumingMemoryBound(to: CChar.self) }
        unsafe pointers.append(value == nil ? nil : start)
        offset += (value?.bytes.count ?? 0) + 1
      }
      let count = Int32(bound.count)
      if let name { return unsafe PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 1) }
      return unsafe PQsendQueryParams(handle, placed(sql), count, nil, pointers, lengths, formats, 1)
    }
    try sent(isOnItsWay)
    return try answer()
  }

  /// The statement with its tables in the schema that this connection works on. A path set for the session would be another
  /// session's behind a pooler.
  private func placed(_ sql: String) -> String { sql.replacing("mien.", with: schema + ".") }

  private mutating func prepared(_ sql: String) throws(PostgresFault) -> String {
    if let name = names[sql] { return name }
    if names.count >= Self.largestShelf {
      try script("DEALLOCATE ALL")
      names = [:]
    }
    let name = "statement\(names.count)"
    try sent(unsafe PQsendPrepare(handle, name, placed(sql), 0, nil))
    _ = try answer()
    names[sql] = name
    return name
  }

  private mutating func sent(_ outcome: Int32) throws(PostgresFault) {
    guard outcome == 1 else { throw lost() }
  }

  private mutating func lost() -> PostgresFault {
    isOver = true
    return PostgresFault(.lost)
  }

  /// Waits for all that is answered to what was sent; the last answer counts, and the first refusal.
  private mutating func answer() throws(PostgresFault) -> (rows: [PostgresRow], changed: Int) {
    var refusal: PostgresFault?
    var last: (rows: [PostgresRow], changed: Int) = ([], 0)
    let end = DispatchTime.now() + patience
    while true {
      try wait(until: end)
      guard let result = unsafe PQgetResult(handle) else { break }
      defer { unsafe PQclear(result) }
      let status = unsafe PQresultStatus(result)
      if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
        if refusal == nil { unsafe last = (Self.rows(result), Self.changed(result)) }
      } else if refusal == nil {
        refusal = unsafe Self.refusal(result)
      }
    }
    if unsafe PQstatus(handle) != CONNECTION_OK { throw lost() }
    if let refusal { throw refusal }
    return last
  }

  private mutating func wait(until end: DispatchTime) throws(PostgresFault) {
    while unsafe PQisBusy(handle) == 1 {
      let now = DispatchTime.now()
      guard now < end else { throw lost() }
      let left = (end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000
      var look = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&look, 1, Int32(left) + 1)
      guard count >= 0 || errno == EINTR else { throw lost() }
      if count > 0, unsafe PQconsumeInput(handle) == 0 { throw lost() }
    }
  }

  private static func refusal(_ result: OpaquePointer) -> PostgresFault {
    // PG_DIAG_SQLSTATE
    guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return PostgresFault(.lost) }
    return unsafe PostgresFault(.refused(String(cString: code)))
  }

  private static func changed(_ result: OpaquePointer) -> Int {
    unsafe Int(String(cString: PQcmdTuples(result))) ?? 0
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

extension PostgresConnection {
  /// Does `body` whole or not at all.
  mutating func transaction<Value>(
    _ body: (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    try script("BEGIN")
    do {
      let value = try body(&self)
      try script("COMMIT")
      return value
    } catch {
      // A connection that cannot even do this is closed, which undoes the transaction as well.
      if !isOver { try? script("ROLLBACK") }
      throw error
    }
  }

  /// Does `body` within a transaction, with an hour for each of its statements and as long for locks as those take: for
  /// migrations only. What comes after it in the transaction has the usual limits again.
  mutating func patiently<Value>(
    _ body: (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    let usual = try bePatient()
    defer { patience = Self.patience }
    let value = try body(&self)
    for limit in usual {
      _ = try rows(
        "SELECT set_config($1, $2, true)", [try limit["name"] as String, try limit["setting"] as String])
    }
    return value
  }

  /// Gives each statement of the rest of the transaction an hour, and locks as long as those take: for a connection that is
  /// used for nothing else afterwards.
  ///
  /// The limit on being idle stays: it counts while the database waits for us, and frees what a dead client has locked.
  /// - Returns: the limits that there were, by name and setting.
  @discardableResult
  mutating func bePatient() throws -> [PostgresRow] {
    // Which limits there are depends on the database's version.
    let usual = try rows(
      """
      SELECT name, setting FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout') AND setting <> '0'
      """)
    for limit in usual { _ = try rows("SELECT set_config($1, '0', true)", [try limit["name"] as String]) }
    patience = Self.longPatience
    return usual
  }
}
