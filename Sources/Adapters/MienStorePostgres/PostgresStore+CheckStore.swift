internal import Foundation
public import MienCore
public import MienService

extension PostgresStore: CheckStore {
  public func create(_ check: CheckRecord) async throws {
    try await mapped("Keeping a new check") {
      try await pool.write { db in try insert(check, into: &db) }
    }
  }

  func insert(_ check: CheckRecord, into db: inout PostgresConnection) throws {
    try db.send(
      """
      INSERT INTO mien.liveness_check
        (id, token_digest, created_ms, expires_ms, side, person, device, expects_depth, reference, tasks, attempts,
        audit_pictures, keeps_clip, sources, takes_scan)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
      """,
      [
        check.id.text, check.token.bytes, check.created.milliseconds, check.expires.milliseconds, check.side.rawValue,
        check.person?.text, check.device?.text, check.expectsDepth, check.reference,
        try check.tasks.map { try keyring.json($0, .tasks, of: check.id.text) },
        check.attempts, check.auditImages, check.keepsClip, check.sources.rawValue, check.takesScan,
      ])
  }

  public func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await mapped("Reading a check") {
      try await pool.read { db in
        // A single statement reads a consistent state in one round trip.
        let rows = try db.rows(
          """
          SELECT \(Self.checkColumns)
          FROM \(Self.checkTables)
          WHERE c.id = $1
          """, [id.text])
        return try check(rows)
      }
    }
  }

  static let checkColumns = """
    c.id, c.token_digest, c.created_ms, c.expires_ms, c.side, c.person, c.device, c.expects_depth, c.reference, c.tasks,
    c.attempts, c.audit_pictures, c.keeps_clip, c.sources, c.takes_scan, v.decided_ms, v.outcome, v.reason, v.source,
    v.assurance, v.frames, v.way_out, v.way_back, v.received_count, v.received_chain, v.settings, v.earlier, v.side AS turned, v.findings
    """
  static let checkTables = """
    mien.liveness_check c LEFT JOIN mien.verdict v ON v.check_id = c.id
    """

  /// Returns the check and its result from rows of ``checkColumns`` and ``checkTables``.
  func check(_ rows: [PostgresRow]) throws -> (record: CheckRecord, result: CheckResult?)? {
    guard let row = rows.first else { return nil }
    let record = try Self.record(row, keyring)
    guard try row[maybe: "outcome"] as String? != nil else { return (record, nil) }
    return (record, try result(row, of: record.id))
  }

  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?,
    under epoch: Int?
  ) async throws {
    try await mapped("Keeping a verdict") {
      try await pool.transaction { db in
        // Round trips cost more than the work in the database, so one statement does most of it.
        let check = try db.rows(
          """
          WITH held AS (
            DELETE FROM mien.live_snapshot
            WHERE check_id = $1 AND ($16::bigint IS NULL OR server = $17 AND epoch = $16::bigint) RETURNING check_id
          ), mine AS (
            -- What the statement deletes it still sees: a hold that is there and could not be deleted is another server's.
            SELECT 1 AS one WHERE EXISTS (SELECT FROM held) OR $16::bigint IS NULL
              OR NOT EXISTS (SELECT FROM mien.live_snapshot WHERE check_id = $1)
          ), kept AS (
            INSERT INTO mien.verdict
              (check_id, decided_ms, outcome, reason, source, frames, way_out, way_back, received_count, received_chain,
              settings, earlier, side, findings, assurance)
            SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $18 FROM mine
          ), told AS (
            SELECT id FROM mien.webhook_endpoint
            WHERE disabled_ms IS NULL AND $15 IN (SELECT json_array_elements_text(events)) FOR KEY SHARE
          )
          UPDATE mien.liveness_check SET open = 0 FROM mine WHERE id = $1
          RETURNING person, device, keeps_clip, (SELECT string_agg(id, ' ' ORDER BY id) FROM told) AS webhooks
          """,
          [
            id.text, result.decided.milliseconds, result.outcome.rawValue, result.reason, result.source.rawValue,
            result.frames, try keyring.json(result.wayOut, .wayOut, of: id.text),
            try keyring.json(result.wayBack, .wayBack, of: id.text), result.received?.count,
            result.received?.head, result.settings,
            result.earlier.isEmpty ? nil : try Self.json(result.earlier), result.side?.rawValue,
            try keyring.json(result.findings.map { StoredFinding($0) }, .findings, of: id.text),
            WebhookEvent(result.outcome).rawValue, epoch, server, result.assurance.rawValue,
          ])
        guard let check = check.first else { throw try Self.whyNotDecided(id, in: &db) }
        if result.source == .observed, try check["keeps_clip"] {
          try db.send("INSERT INTO mien.clip (check_id, state) VALUES ($1, 'pending')", [id.text])
        }
        try insert(images, of: id, into: &db)
        if let rules {
          let person = (try check[maybe: "person"] as String?).flatMap { PersonID($0) }
          let device = (try check[maybe: "device"] as String?).flatMap { DeviceID($0) }
          let subjects = [person.map { LockoutSubject.person($0) }, device.map { .device($0) }].compactMap(\.self)
          try Self.count(result, of: subjects, rules, in: &db)
        }
        try announce(result, of: id, to: try check[maybe: "webhooks"], into: &db)
      }
    }
  }

  /// Returns the error for a verdict that was not stored although no statement failed.
  private static func whyNotDecided(_ id: CheckID, in db: inout PostgresConnection) throws -> any Error {
    guard let check = try db.rows("SELECT open FROM mien.liveness_check WHERE id = $1", [id.text]).first else {
      return PostgresError(.refused("23503"))
    }
    return try check["open"]
      ? StoreError(.overtaken, reason: "Keeping a verdict: another server has the check.")
      : PostgresError(.refused("23505"))
  }

  public func expired(before time: UnixTime, limit: Int) async throws -> [CheckID] {
    try await mapped("Looking for expired checks") {
      try await pool.read { db in
        try db.rows(
          "SELECT id FROM mien.liveness_check WHERE open = 1 AND expires_ms < $1 ORDER BY expires_ms LIMIT $2",
          [time.milliseconds, limit]
        ).compactMap { CheckID(try $0["id"]) }
      }
    }
  }

  public func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    try await mapped("Erasing old checks") {
      try await pool.write { db in
        try db.change(
          """
          DELETE FROM mien.liveness_check WHERE id IN (
            SELECT check_id FROM mien.verdict WHERE decided_ms < $1 ORDER BY decided_ms LIMIT $2
          )
          """, [time.milliseconds, limit])
      }
    }
  }

  private static func record(_ row: PostgresRow, _ keyring: ColumnCipher) throws -> CheckRecord {
    guard let id = CheckID(try row["id"]), let token = SecretDigest(bytes: try row["token_digest"]),
      let side = Side(rawValue: try row["side"]), let sources = CheckSources(stored: try row["sources"])
    else { throw damaged("a check") }
    return CheckRecord(
      id: id, token: token, created: UnixTime(milliseconds: try row["created_ms"]),
      expires: UnixTime(milliseconds: try row["expires_ms"]), side: side,
      person: (try row[maybe: "person"] as String?).flatMap { PersonID($0) },
      device: (try row[maybe: "device"] as String?).flatMap { DeviceID($0) }, expectsDepth: try row["expects_depth"],
      reference: try row[maybe: "reference"],
      tasks: try (row[maybe: "tasks"] as String?).map { try keyring.value($0, .tasks, of: id.text) },
      attempts: try row["attempts"], auditImages: try row[maybe: "audit_pictures"],
      keepsClip: try row["keeps_clip"], sources: sources, takesScan: try row["takes_scan"])
  }

  private func result(_ row: PostgresRow, of id: CheckID) throws -> CheckResult {
    guard let outcome = CheckResult.Outcome(rawValue: try row["outcome"]),
      let source = CheckResult.Source(rawValue: try row["source"]),
      let assurance = Assurance(rawValue: try row["assurance"])
    else { throw Self.damaged("a verdict") }
    let findings: [StoredFinding] = try keyring.value(try row["findings"], .findings, of: id.text)
    return CheckResult(
      outcome: outcome, reason: try row[maybe: "reason"], decided: UnixTime(milliseconds: try row["decided_ms"]),
      source: source, assurance: assurance, frames: try row["frames"],
      findings: try findings.map { stored in
        guard let finding = stored.finding else { throw Self.damaged("a finding") }
        return finding
      },
      wayOut: try keyring.value(try row["way_out"], .wayOut, of: id.text),
      wayBack: try keyring.value(try row["way_back"], .wayBack, of: id.text), received: try Self.chain(row),
      settings: try row[maybe: "settings"],
      earlier: try (row[maybe: "earlier"] as String?).map { try Self.value($0, "a verdict") } ?? [],
      side: (try row[maybe: "turned"] as String?).flatMap { Side(rawValue: $0) })
  }

  private static func chain(_ row: PostgresRow) throws -> FrameHashChain? {
    guard let count = try row[maybe: "received_count"] as Int?, let head = try row[maybe: "received_chain"] as [UInt8]?
    else { return nil }
    guard let chain = FrameHashChain(count: count, head: head) else { throw damaged("a verdict") }
    return chain
  }
}
