internal import CPostgres
internal import Dispatch
internal import Foundation

/// Connection to PostgreSQL and sole owner of libpq's handle. It blocks the calling thread.
///
/// Statements use libpq's pipeline mode: statements without an awaited result (``execute(_:_:)``, the start of a transaction, the
/// preparation of a new statement) are sent together with the next statement whose result is awaited, so that all of them take one round
/// trip. A statement that times out ends the connection without waiting for the server to stop executing it.
@safe final class PostgresConnection: SQLConnection {
  /// Command sent to libpq whose result is pending.
  private enum Sent {
    /// Preparation of a statement with this text.
    case preparation(String)
    case statement
  }

  private let handle: OpaquePointer
  private let prepares: Bool
  /// Schema that replaces `mien.` in statements.
  private let schema: String
  /// Names of the statements prepared on this connection, by text.
  private var names: [String: String] = [:]
  /// Number of assigned names; none is reused, since a preparation may fail.
  private var statementCount = 0
  /// Pending commands in the order of their results.
  private var pendingCommands: [Sent] = []
  /// `true` once the connection is unusable.
  private(set) var isOver = false
  /// Timeout of the current statement in seconds.
  private var timeout = PostgresConnection.timeout

  /// Timeouts of one statement in seconds. The longer one is for migrations, which rewrite whole tables, and store copies, which sort
  /// them; an interrupted one would have to start over.
  private static let (timeout, longTimeout) = (30.0, 3600.0)
  /// Maximum number of prepared statements; there are about a hundred in total.
  private static let maximumPreparedStatements = 256
  /// Maximum number of statements per pipeline; results are held in memory until all have arrived.
  private static let maximumPipelinedStatements = 256

  private init(_ handle: OpaquePointer, prepares: Bool, schema: String) {
    unsafe self.handle = handle
    self.prepares = prepares
    self.schema = schema
  }

  /// Connects with the timeout in the address, or ten seconds if it has none.
  ///
  /// - Parameter schema: Schema of the tables, which statements refer to as `mien.`
  static func to(_ address: PostgresURL, schema: String) throws(PostgresError) -> PostgresConnection {
    let made = unsafe PostgresConnection(try handle(address), prepares: address.keepsSessions, schema: schema)
    // The server must not hold locks forever for a client that gave up. Behind a pooler, the settings would affect other clients.
    if address.keepsSessions {
      try made.script(
        "SET statement_timeout = '30s'; SET idle_in_transaction_session_timeout = '60s'; SET synchronous_commit = on")
    }
    return made
  }

  private static func handle(_ address: PostgresURL) throws(PostgresError) -> OpaquePointer {
    var words = address.words
    // Routers drop idle connections after minutes, and a connection is idle during a long migration.
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
    guard let made = unsafe made else { throw PostgresError(.unreachable("out of memory.")) }
    guard unsafe PQstatus(made) == CONNECTION_OK else {
      let words = unsafe String(cString: PQerrorMessage(made)).split(separator: "\n").first
      unsafe PQfinish(made)
      throw PostgresError(.unreachable(words.map { String($0) } ?? "PostgreSQL cannot be reached."))
    }
    // Notices are discarded, because they may contain values being written.
    _ = unsafe PQsetNoticeProcessor(made, { _, _ in }, nil)
    guard unsafe PQenterPipelineMode(made) == 1 else {
      unsafe PQfinish(made)
      throw PostgresError(.unreachable("libpq could not enter pipeline mode."))
    }
    return unsafe made
  }

  deinit { unsafe PQfinish(handle) }

  /// Reports whether the server has closed the connection, without a round trip.
  func isAlive() -> Bool {
    guard !isOver else { return false }
    var look = unsafe pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
    // Reads pending messages until the end of the stream.
    while unsafe poll(&look, 1, 0) > 0 {
      if unsafe PQconsumeInput(handle) == 0 { break }
    }
    isOver = unsafe PQstatus(handle) != CONNECTION_OK || PQtransactionStatus(handle) != PQTRANS_IDLE
    return !isOver
  }

  /// Executes any number of statements without parameters.
  func script(_ sql: String) throws(PostgresError) {
    try settle()
    // Pipeline mode does not allow several statements in one string.
    guard unsafe PQexitPipelineMode(handle) == 1, unsafe PQsendQuery(handle, qualified(sql)) == 1 else { throw lost() }
    var refusal: PostgresError?
    while let result = try unsafe next() {
      defer { unsafe PQclear(result) }
      if refusal == nil { unsafe refusal = Self.refusal(result) }
    }
    guard unsafe PQstatus(handle) == CONNECTION_OK, unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
    if let refusal { throw refusal }
  }

  func rows(_ sql: String, _ values: [(any SQLBindable)?]) throws(PostgresError) -> [SQLRow] {
    try execute(sql, values)
    return try settle().rows
  }

  @discardableResult
  func change(_ sql: String, _ values: [(any SQLBindable)?] = []) throws(PostgresError) -> Int {
    try execute(sql, values)
    return try settle().changed
  }

  /// Queues a statement whose result is not awaited. An error is thrown by the next awaited operation, at the latest at the end of the
  /// transaction or of the work on this connection.
  func execute(_ sql: String, _ values: [(any SQLBindable)?]) throws(PostgresError) {
    if pendingCommands.count >= Self.maximumPipelinedStatements { try settle() }
    let name = prepares ? try prepared(sql) : nil
    let bound = values.map { $0.flatMap { Self.encoded($0.sqlValue) } }
    // One buffer holds all values, each followed by a zero byte, which the text format requires.
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
      return unsafe PQsendQueryParams(handle, qualified(sql), count, nil, pointers, lengths, formats, 1)
    }
    guard isOnItsWay == 1 else { throw lost() }
    pendingCommands.append(.statement)
  }

  /// Queues the insertion of rows in batches, because a statement accepts at most 65,535 values.
  func insert(_ table: String, _ columns: [String], _ rows: [[(any SQLBindable)?]]) throws(PostgresError) {
    let batch = 60_000 / columns.count
    for start in stride(from: 0, to: rows.count, by: batch) {
      let some = rows[start..<min(start + batch, rows.count)]
      let places = some.indices.map { row in
        let numbers = columns.indices.map { "$\((row - start) * columns.count + $0 + 1)" }
        return "(\(numbers.joined(separator: ", ")))"
      }
      try execute(
        "INSERT INTO mien.\(table) (\(columns.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))",
        some.flatMap(\.self))
    }
  }

  /// Queues the acquisition of an advisory lock for this name and schema, which is held until the end of the transaction.
  func lock(_ what: String, _ name: String) throws(PostgresError) {
    try execute("SELECT pg_advisory_xact_lock(hashtext($1), hashtext('mien.' || $2))", [what, name])
  }

  /// Returns the bytes of a value and whether they are in the binary format of its type; `nil` for null.
  ///
  /// Text and byte strings use the binary format, because the text format ends at a zero byte. Numbers use the text format, so that the
  /// database chooses their width.
  private static func encoded(_ value: SQLValue) -> (bytes: [UInt8], isBinary: Bool)? {
    switch value {
    case .null: nil
    case .integer(let number): (Array(number.description.utf8), false)
    case .real(let number): (Array(number.description.utf8), false)
    case .text(let text): (Array(text.utf8), true)
    case .bytes(let bytes): (bytes, true)
    }
  }

  /// Waits for the results of all queued statements. Returns the last result, or throws the first error, after which the server skips the
  /// rest of the pipeline.
  @discardableResult
  func settle() throws(PostgresError) -> PostgresResult {
    guard !pendingCommands.isEmpty else { return PostgresResult() }
    guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
    let sent = pendingCommands
    pendingCommands = []
    var refusal: PostgresError?
    var last = PostgresResult()
    for (index, piece) in sent.enumerated() {
      var isDone = false
      // The results of one command end with a null result.
      while let result = try unsafe next() {
        defer { unsafe PQclear(result) }
        isDone = unsafe Self.isDone(result)
        if let refused = unsafe Self.refusal(result) { refusal = refusal ?? refused }
        guard isDone, index == sent.count - 1 else { continue }
        if let read = unsafe PostgresResult(result) {
          last = read
        } else {
          refusal = refusal ?? PostgresError(.unreadable)
        }
      }
      if case .preparation(let sql) = piece, !isDone { names[sql] = nil }
    }
    guard let end = try unsafe next() else { throw lost() }
    defer { unsafe PQclear(end) }
    guard unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC else { throw lost() }
    if let refusal { throw refusal }
    return last
  }

  /// Returns the statement with the tables in this connection's schema. A session-level search path would affect other sessions behind a
  /// pooler.
  private func qualified(_ sql: String) -> String { sql.replacing("mien.", with: schema + ".") }

  private func prepared(_ sql: String) throws(PostgresError) -> String {
    if let name = names[sql] { return name }
    if names.count >= Self.maximumPreparedStatements {
      try script("DEALLOCATE ALL")
      names = [:]
    }
    let name = "statement\(statementCount)"
    statementCount += 1
    guard unsafe PQsendPrepare(handle, name, qualified(sql), 0, nil) == 1 else { throw lost() }
    pendingCommands.append(.preparation(sql))
    names[sql] = name
    return name
  }

  private func lost() -> PostgresError {
    isOver = true
    return PostgresError(.lost)
  }

  /// Waits for the next result; `nil` at the end of the results of one statement. The caller must clear the result.
  private func next() throws(PostgresError) -> OpaquePointer? {
    try wait(until: DispatchTime.now() + timeout)
    let result = unsafe PQgetResult(handle)
    guard unsafe PQstatus(handle) == CONNECTION_OK else {
      unsafe PQclear(result)
      throw lost()
    }
    return unsafe result
  }

  private func wait(until end: DispatchTime) throws(PostgresError) {
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

  /// Returns the error of a failed statement, or `nil` if it succeeded or was skipped because of an earlier error.
  private static func refusal(_ result: OpaquePointer) -> PostgresError? {
    guard unsafe !isDone(result), unsafe PQresultStatus(result) != PGRES_PIPELINE_ABORTED else { return nil }
    // PG_DIAG_SQLSTATE
    guard let code = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return PostgresError(.lost) }
    return unsafe PostgresError(.refused(String(cString: code)))
  }
}

extension PostgresConnection {
  /// Runs `body` atomically in a transaction.
  func transaction<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    try execute("BEGIN", [])
    do {
      let value = try body(self)
      try execute("COMMIT", [])
      // The database answers the COMMIT of a failed transaction with ROLLBACK, which is not an error.
      guard try settle().command == "COMMIT" else { throw PostgresError(.refused("25P02")) }
      return value
    } catch {
      // If the rollback fails, the connection is closed, which also rolls back the transaction.
      if !isOver { _ = try? settle() }
      if !isOver { try? script("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body` within a transaction with a timeout of one hour per statement and for locks, for migrations only. The usual timeouts are
  /// restored afterward.
  func withoutStatementTimeout<Value>(_ body: (PostgresConnection) throws -> Value) throws -> Value {
    let usual = try disableStatementTimeout()
    defer { timeout = Self.timeout }
    let value = try body(self)
    for limit in usual {
      _ = try rows(
        "SELECT set_config($1, $2, true)", [try limit["name"] as String, try limit["setting"] as String])
    }
    return value
  }

  /// Sets the timeout of each further statement in the transaction, and of locks, to one hour, for a connection that is not reused
  /// afterward.
  ///
  /// The idle timeout remains: it applies while the database waits for the client, and releases the locks of a dead client.
  ///
  /// - Returns: The previous timeouts by name and setting.
  @discardableResult
  func disableStatementTimeout() throws -> [SQLRow] {
    // The available timeouts depend on the version of the database.
    let usual = try rows(
      """
      SELECT name, setting FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout') AND setting <> '0'
      """)
    for limit in usual { _ = try rows("SELECT set_config($1, '0', true)", [try limit["name"] as String]) }
    timeout = Self.longTimeout
    return usual
  }
}
