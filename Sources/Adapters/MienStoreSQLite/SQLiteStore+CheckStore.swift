internal import Foundation
internal import GRDB
public import MienCore
public import MienService

extension SQLiteStore: CheckStore {
  public func create(_ check: CheckRecord) async throws {
    try await mapped("Keeping a new check") {
      try await group.write { db in try insert(check, into: db) }
    }
  }

  func insert(_ check: CheckRecord, into db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO liveness_check
          (id, token_digest, created_ms, expires_ms, side, person, device, expects_depth, reference, tasks, attempts,
          audit_pictures, keeps_clip, sources, takes_scan)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        check.id.text, Data(check.token.bytes), check.created.milliseconds, check.expires.milliseconds,
        check.side.rawValue, check.person?.text, check.device?.text, check.expectsDepth, check.reference,
        try check.tasks.map { try keyring.json($0, .tasks, of: check.id.text) }, check.attempts,
        check.auditImages, check.keepsClip, check.sources.rawValue, check.takesScan,
      ])
  }

  public func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await mapped("Reading a check") {
      try await database.readPoint { db in try check(id, in: db) }
    }
  }

  private func check(_ id: CheckID, in db: Database) throws -> (record: CheckRecord, result: CheckResult?)? {
    // Cached statement: preparing one takes several times as long as executing it.
    let whole = try db.cachedStatement(sql: Self.whole)
    guard let row = try Row.fetchOne(whole, arguments: [id.text]) else { return nil }
    let record = try record(row)
    guard row["decided_ms"] as Int64? != nil else { return (record, nil) }
    return (record, try result(row, of: id))
  }

  /// A check and its verdict; a single statement sees a consistent state of the database.
  private static let whole = """
    SELECT liveness_check.*, decided_ms, outcome, verdict.reason AS verdict_reason, source, assurance, frames, way_out,
      way_back, received_count, received_chain, settings, earlier, verdict.side AS verdict_side, findings
    FROM liveness_check LEFT JOIN verdict ON verdict.check_id = liveness_check.id
    WHERE liveness_check.id = ?
    """

  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?,
    under epoch: Int?
  ) async throws {
    // The embedded store has a single server, so no other server can have taken over the check.
    try await mapped("Keeping a verdict") {
      try await group.write { db in
        try db.execute(
          sql: """
            INSERT INTO verdict
              (check_id, decided_ms, outcome, reason, source, assurance, frames, way_out, way_back, received_count,
              received_chain, settings, earlier, side, findings)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            id.text, result.decided.milliseconds, result.outcome.rawValue, result.reason, result.source.rawValue,
            result.assurance.rawValue, result.frames, keyring.json(result.wayOut, .wayOut, of: id.text),
            keyring.json(result.wayBack, .wayBack, of: id.text), result.received?.count,
            result.received.map { Data($0.head) }, result.settings,
            result.earlier.isEmpty ? nil : Self.json(result.earlier), result.side?.rawValue,
            keyring.json(result.findings.map { StoredFinding($0) }, .findings, of: id.text),
          ])
        try db.execute(sql: "UPDATE liveness_check SET open = 0 WHERE id = ?", arguments: [id.text])
        try db.execute(sql: "DELETE FROM live_snapshot WHERE check_id = ?", arguments: [id.text])
        if result.source == .observed {
          try db.execute(
            sql:
              "INSERT INTO clip (check_id, state) SELECT id, 'pending' FROM liveness_check WHERE id = ? AND keeps_clip",
            arguments: [id.text])
        }
        for (ordinal, image) in images.enumerated() {
          try insert(image, ordinal: ordinal, of: id, into: db)
        }
        if let rules { try count(result, of: id, rules, in: db) }
        try announce(result, of: id, into: db)
      }
    }
  }

  public func expired(before time: UnixTime, limit: Int) async throws -> [CheckID] {
    try await mapped("Looking for expired checks") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM liveness_check WHERE open = 1 AND expires_ms < ? ORDER BY expires_ms LIMIT ?",
          arguments: [time.milliseconds, limit]
        ).compactMap { CheckID($0) }
      }
    }
  }

  public func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    let deleted = try await mapped("Erasing old checks") {
      // Usually nothing is found, so read before waiting for the writer.
      let ids = try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT check_id FROM verdict WHERE decided_ms < ? ORDER BY decided_ms LIMIT ?",
          arguments: [time.milliseconds, limit])
      }
      guard !ids.isEmpty else { return 0 }
      try await database.write { db in
        for id in ids { try db.execute(sql: "DELETE FROM liveness_check WHERE id = ?", arguments: [id]) }
      }
      return ids.count
    }
    if deleted > 0 { try await shrinkLog() }
    return deleted
  }

  func record(_ row: Row) throws -> CheckRecord {
    guard let id = CheckID(row["id"]), let token = SecretDigest(bytes: Array(row["token_digest"] as Data)),
      let side = Side(rawValue: row["side"]), let sources = CheckSources(stored: row["sources"])
    else { throw Self.damaged("a check") }
    return CheckRecord(
      id: id, token: token, created: UnixTime(milliseconds: row["created_ms"]),
      expires: UnixTime(milliseconds: row["expires_ms"]), side: side,
      person: (row["person"] as String?).flatMap { PersonID($0) },
      device: (row["device"] as String?).flatMap { DeviceID($0) }, expectsDepth: row["expects_depth"],
      reference: row["reference"],
      tasks: try (row["tasks"] as String?).map { try keyring.value($0, .tasks, of: id.text) },
      attempts: row["attempts"], auditImages: row["audit_pictures"], keepsClip: row["keeps_clip"],
      sources: sources, takesScan: row["takes_scan"])
  }

  /// Returns the verdict in a row of ``whole``.
  private func result(_ row: Row, of id: CheckID) throws -> CheckResult {
    guard let outcome = CheckResult.Outcome(rawValue: row["outcome"]),
      let source = CheckResult.Source(rawValue: row["source"]), let assurance = Assurance(rawValue: row["assurance"])
    else { throw Self.damaged("a verdict") }
    let findings: [StoredFinding] = try keyring.value(row["findings"], .findings, of: id.text)
    return CheckResult(
      outcome: outcome, reason: row["verdict_reason"], decided: UnixTime(milliseconds: row["decided_ms"]),
      source: source, assurance: assurance,
      frames: row["frames"],
      findings: try findings.map { stored in
        guard let finding = stored.finding else { throw Self.damaged("a finding") }
        return finding
      },
      wayOut: try keyring.value(row["way_out"], .wayOut, of: id.text),
      wayBack: try keyring.value(row["way_back"], .wayBack, of: id.text), received: try Self.chain(row),
      settings: row["settings"], earlier: try Self.earlier(row["earlier"]),
      side: (row["verdict_side"] as String?).flatMap { Side(rawValue: $0) })
  }

  private static func earlier(_ text: String?) throws -> [FailedAttempt] {
    guard let text else { return [] }
    guard let attempts = try? JSONDecoder().decode([FailedAttempt].self, from: Data(text.utf8)) else {
      throw damaged("a verdict")
    }
    return attempts
  }

  private static func chain(_ row: Row) throws -> FrameHashChain? {
    guard let count = row["received_count"] as Int?, let head = row["received_chain"] as Data? else { return nil }
    guard let chain = FrameHashChain(count: count, head: Array(head)) else { throw damaged("a verdict") }
    return chain
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  static func damaged(_ what: String) -> StoreError {
    StoreError(.unavailable, reason: "The database holds \(what) that cannot be read. Restore it from a backup.")
  }
}
