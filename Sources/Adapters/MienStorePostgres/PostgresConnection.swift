internal import CPostgres
internal import Dispatch
internal import Foundation

/// One connection to PostgreSQL, and the only owner of libpq's handle. It waits on the thread of whoever calls it.
///
/// Statements go in libpq's pipeline mode: what nobody waits for (``send(_:_:)``, the beginning of a transaction, the preparation of
/// a statement that is new here) leaves with the next statement that somebody waits for, so that all of them cost one journey to
/// the database. A statement that is not over in time ends the connection: what the server still does with it is not waited for.
@safe struct PostgresConnection: ~Copyable {
  /// What was handed to libpq and has no answer yet.
  private enum Sent {
    /// A statement is prepared; its text.
    case preparation(String)
    case statement
  }

  private let handle: OpaquePointer
  private let prepares: Bool
  /// What `mien.` stands for in statements.
  private let schema: String
  /// What was prepared on this connection, by its text.
  private var names: [String: String] = [:]
  /// How many names were given; none is given twice, since a preparation may fail.
  private var namesGiven = 0
  /// In the order in which the answers will come.
  private var underWay: [Sent] = []
  /// True when it is of no use any more.
  private(set) var isOver = false
  /// How long the statement that is sent now may take, in seconds.
  private var patience = PostgresConnection.patience

  /// How long one statement may take, in seconds. A migration rewrites whole tables, and moving a store sorts them; one that
  /// is cut off would begin anew every time.
  private static let (patience, longTimeout) = (30.0, 3600.0)
  /// As many statements are kept prepared; there are about a hundred in all.
  private static let largestShelf = 256
  /// As many statements leave together; answers are kept in memory until all are here.
  private static let longestTrain = 256

  private init(_ handle: OpaquePointer, prepares: Bool, schema: String) {
    unsafe self.handle = handle
    self.prepares = prepares
    self.schema = schema
  }

  /// Connects; gives up after what the address says, ten seconds when it says nothing.
  ///
  /// - Parameter schema: where the tables are; statements call it `mien.`
  static func to(_ address: PostgresURL, schema: String) throws(PostgresError) -> PostgresConnection {
    var made = unsafe PostgresConnection(try handle(address), prepares: address.keepsSessions, schema: schema)
    // What the client has given up must not hold locks for ever. Behind a pooler it would be set for whoever comes next.
    if address.keepsSessions {
      try made.script(
        "SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'; SET synchronous_commit = on")
    }
    return made
  }

  private static func handle(_ address: PostgresURL) throws(PostgresError) -> OpaquePointer {
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
    guard let made = unsafe made else { throw PostgresError(.unreachable("there is no memory.")) }
    guard unsafe PQstatus(made) == CONNECTION_OK else {
      let words = unsafe String(cString: PQerrorMessage(made)).split(separator: "\n").first
      unsafe PQfinish(made)
      throw PostgresError(.unreachable(words.map { String($0) } ?? "PostgreSQL cannot be reached."))
    }
    // Notices go nowhere: they may quote what is being written.
    _ = unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    guard unsafe PQenterPipelineMode(made) == 1 else {
      unsafe PQfinish(made)
      throw PostgresError(.unreachable("libpq cannot send statements without waiting for each."))
    }
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
  mutating func script(_ sql: String) throws(PostgresError) {
    try settle()
    // Several statements in one text cannot go in pipeline mode.
    guard unsafe PQexitPipelineMode(handle) == 1, unsafe PQsendQuery(handle, placed(sql)) == 1 else { throw lost() }
    var refusal: PostgresError?
    while let result = try unsafe next() {
      defer { unsafe PQclear(result) }
      if refusal == nil { unsafe refusal = Self.refusal(result) }
    }
    guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
    if let refusal { throw refusal }
  }

  /// Runs a statement and returns its rows.
  mutating func rows(
    _ sql: String, _ values: [(any PostgresBindable)?] = []
  ) throws(PostgresError) -> [PostgresRow] {
    try send(sql, values)
    return try settle().rows
  }

  /// Runs a statement and returns how many rows it wrote.
  @discardableResult
  mutating func change(_ sql: String, _ values: [(any PostgresBindable)?] = []) throws(PostgresError) -> Int {
    try send(sql, values)
    return try settle().changed
  }

  /// Sends a statement whose outcome nobody waits for: its refusal is thrown by what is asked next, at the latest by the end of the
  /// transaction or of the work on this connection.
  mutating func send(_ sql: String, _ values: [(any PostgresBindable)?] = []) throws(PostgresError) {
    if underWay.count >= Self.longestTrain { try settle() }
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
    guard isOnItsWay == 1 else { throw lost() }
    underWay.append(.statement)
  }

  /// Waits for the answers to all that was sent; the last one counts, and the first refusal, behind which the server does nothing of
  /// what was sent with it.
  @discardableResult
  mutating func settle() throws(PostgresError) -> PostgresResult {
    guard !underWay.isEmpty else { return PostgresResult() }
    guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
    let sent = underWay
    underWay = []
    var refusal: PostgresError?
    var last = PostgresResult()
    for (index, piece) in sent.enumerated() {
      var isDone = false
      // The answers to one piece end with none.
      while let result = try unsafe next() {
        defer { unsafe PQclear(result) }
        isDone = unsafe Self.isDone(result)
        if let refused = unsafe Self.refusal(result) { refusal = refusal ?? refused }
        if isDone, index == sent.count - 1 { last = unsafe PostgresResult(result) }
      }
      if case .preparation(let sql) = piece, !isDone { names[sql] = nil }
    }
    guard let end = try unsafe next() else { throw lost() }
    defer { unsafe PQclear(end) }
    guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
    if let refusal { throw refusal }
    return last
  }

  /// The statement with its tables in the schema that this connection works on. A path set for the session would be another
  /// session's behind a pooler.
  private func placed(_ sql: String) -> String { sql.replacing("mien.", with: schema + ".") }

  private mutating func prepared(_ sql: String) throws(PostgresError) -> String {
    if let name = names[sql] { return name }
    if names.count >= Self.largestShelf {
      try script("DEALLOCATE ALL")
      names = [:]
    }
    let name = "statement\(namesGiven)"
    namesGiven += 1
    guard unsafe PQsendPrepare(handle, name, placed(sql), 0, nil) == 1 else { throw lost() }
    underWay.append(.preparation(sql))
    names[sql] = name
    return name
  }

  private mutating func lost() -> PostgresError {
    isOver = true
    return PostgresError(.lost)
  }

  /// The next answer, once it is here; none where those to one statement end. Whoever calls clears it.
  private mutating func next() throws(PostgresError) -> OpaquePointer? {
    try wait(until: DispatchTime.now() + patience)
    let result = unsafe PQgetResult(handle)
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      unsafe PQclear(result)
      throw lost()
    }
    return unsafe result
  }

  private mutating func wait(until end: DispatchTime) throws(PostgresError) {
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

  private static func isDone(_ result: OpaquePointer) -> Bool {
    let status = unsafe PQresultStatus(result)
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK
  }

  /// Why the server did not do something; nil where it did, and for what it left out because of an earlier refusal.
  private static func refusal(_ result: OpaquePointer) -> PostgresError? {
    guard unsafe !isDone(result), unsafe PQresultStatus(result) != PGRES_PIPELINE_ABORTED else { return nil }
    // PG_DIAG_SQLSTATE
    guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return PostgresError(.lost) }
    return unsafe PostgresError(.refused(String(cString: code)))
  }
}

extension PostgresConnection {
  /// Does `body` whole or not at all.
  mutating func transaction<Value>(
    _ body: (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    try send("BEGIN")
    do {
      let value = try body(&self)
      try send("COMMIT")
      // The database answers a transaction in which something failed with its undoing, and calls that no failure.
      guard try settle().command == "COMMIT" else { throw PostgresError(.refused("25P02")) }
      return value
    } catch {
      // A connection that cannot even do this is closed, which undoes the transaction as well.
      if !isOver { _ = try? settle() }
      if !isOver { try? script("ROLLBACK") }
      throw error
    }
  }

  /// Does `body` within a transaction, with an hour for each of its statements and as long for locks as those take: for
  /// migrations only. What comes after it in the transaction has the usual limits again.
  mutating func withoutStatementTimeout<Value>(
    _ body: (inout PostgresConnection) throws -> Value
  ) throws -> Value {
    let usual = try disableStatementTimeout()
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
  mutating func disableStatementTimeout() throws -> [PostgresRow] {
    // Which limits there are depends on the database's version.
    let usual = try rows(
      """
      SELECT name, setting FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout') AND setting <> '0'
      """)
    for limit in usual { _ = try rows("SELECT set_config($1, '0', true)", [try limit["name"] as String]) }
    patience = Self.longTimeout
    return usual
  }
}
