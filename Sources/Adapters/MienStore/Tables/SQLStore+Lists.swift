internal import MienAvatars
internal import MienCore
internal import MienPlatform
internal import MienChecks
internal import MienCaptures
internal import MienMessageService
internal import MienSecurity

/// Lists of checks, captures and messages. They read no encrypted column except the ciphertext of messages, which is not
/// decrypted.
extension SQLStore {
  public func checks(_ query: CheckListQuery) async throws -> RecordPage<CheckSummary> {
    let page = Self.listing(query)
    return try await read("Listing checks") { db in
      RecordPage(try db.rows(page.sql, page.values).map(Self.checkSummary), limit: query.page.limit) {
        PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text)
      }
    }
  }

  public func captures(_ query: CaptureListQuery) async throws -> RecordPage<CaptureSummary> {
    let page = Self.listing(query)
    return try await read("Listing captures") { db in
      RecordPage(try db.rows(page.sql, page.values).map(Self.captureSummary), limit: query.page.limit) {
        PageCursor(milliseconds: $0.received.milliseconds, id: $0.id.text)
      }
    }
  }

  public func messages(_ query: MessageListQuery, at now: UnixTime) async throws -> RecordPage<MessageRecord> {
    let page = Self.listing(query, at: now)
    return try await read("Listing messages") { db in
      let found = try db.rows(page.sql, page.values).map { row in
        let text: String = try row["id"]
        guard let id = MessageID(text: text) else { throw SQLReadError() }
        return try Self.message(row, id)
      }
      return RecordPage(found, limit: query.page.limit) {
        PageCursor(milliseconds: $0.created.milliseconds, id: $0.id.text)
      }
    }
  }

  // MARK: - Queries

  /// Returns the query for one page plus one further row.
  static func listing(_ query: CheckListQuery) -> SQLQuery {
    var wanted = WhereClauseBuilder()
    if let state = query.state { wanted.add("c.state = ?", state) }
    if let assurance = query.assurance { wanted.add("c.assurance = ?", assurance) }
    if let reference = query.reference { wanted.add("c.reference = ?", reference) }
    if let person = query.person { wanted.add("c.person = ?", person) }
    if let name = query.name { wanted.add("(c.id = ? OR c.reference = ? OR c.person = ?)", name, name, name) }
    return listing(
      """
      SELECT c.id, c.created_ms, c.expires_ms, c.assurance, c.person, c.reference, v.decided_ms, v.outcome, v.reason,
        v.source, v.basis
      FROM \(CheckQuery.tables)
      """, wanted, query.page, time: "c.created_ms", id: "c.id")
  }

  /// Returns the query for one page plus one further row.
  static func listing(_ query: CaptureListQuery) -> SQLQuery {
    var wanted = WhereClauseBuilder()
    if let state = query.state { wanted.add("state = ?", state) }
    if let check = query.check { wanted.add("check_id = ?", check) }
    return listing(
      """
      SELECT id, received_ms, state, check_id, bytes, photo_type, (depth_digest IS NOT NULL) AS has_depth,
        (motion IS NOT NULL) AS has_motion, (signature IS NOT NULL) AS is_signed
      FROM mien.capture
      """, wanted, query.page, time: "received_ms", id: "id")
  }

  /// Returns the query for one page plus one further row.
  static func listing(_ query: MessageListQuery, at now: UnixTime) -> SQLQuery {
    var wanted = WhereClauseBuilder()
    switch query.state {
    case .open?: wanted.add("ended IS NULL AND expires_ms > ?", now)
    case .expired?: wanted.add("(ended = 'expired' OR (ended IS NULL AND expires_ms <= ?))", now)
    case .read?: wanted.add("ended = 'read'")
    case .deleted?: wanted.add("ended = 'deleted'")
    case nil: break
    }
    return listing("SELECT * FROM mien.message", wanted, query.page, time: "created_ms", id: "id")
  }

  private static func listing(
    _ selection: String, _ conditions: WhereClauseBuilder, _ page: PageRequest, time: String, id: String
  ) -> SQLQuery {
    var wanted = conditions
    if let from = page.from { wanted.add("\(time) >= ?", from) }
    if let until = page.until { wanted.add("\(time) < ?", until) }
    if let after = page.after { wanted.add("(\(time), \(id)) < (?, ?)", after.milliseconds, after.id) }
    return SQLQuery(
      sql: """
        \(selection)\(wanted.clause)
        ORDER BY \(time) DESC, \(id) DESC LIMIT $\(wanted.values.count + 1)
        """, values: wanted.values + [page.limit + 1])
  }

  // MARK: - Rows

  private static func checkSummary(_ row: SQLRow) throws -> CheckSummary {
    let outcome: CheckResult.Outcome? = try row[optional: "outcome"]
    return CheckSummary(
      id: try row["id"], created: try row["created_ms"], expires: try row["expires_ms"],
      assurance: try row[optional: "assurance"], person: try row[optional: "person"],
      reference: try row[optional: "reference"],
      verdict: try outcome.map { outcome in
        CheckSummary.Verdict(
          outcome: outcome, reason: try row[optional: "reason"], decided: try row["decided_ms"],
          source: try row["source"], basis: try row["basis"])
      })
  }

  private static func captureSummary(_ row: SQLRow) throws -> CaptureSummary {
    CaptureSummary(
      id: try row["id"], received: try row["received_ms"], state: try row["state"],
      check: try row[optional: "check_id"], bytes: try row["bytes"], photoType: try row[optional: "photo_type"],
      hasDepth: try row["has_depth"], hasMotion: try row["has_motion"], isSigned: try row["is_signed"])
  }
}
