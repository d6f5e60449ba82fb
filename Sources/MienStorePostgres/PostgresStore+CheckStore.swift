internal import Foundation
public import MienModel
public import MienService

extension PostgresStore: CheckStore {
  public func create(_ check: CheckRecord) async throws {
    try await mapped("Keeping a new check") {
      try await pool.write { db in try Self.insert(check, into: &db) }
    }
  }

  static func insert(_ check: CheckRecord, into db: inout PostgresConnection) throws {
    try db.change(
      """
      INSERT INTO mien.liveness_check
        (id, token_digest, created_ms, expires_ms, side, person, device, expects_depth, reference, tasks, attempts,
        audit_pictures, keeps_clip)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        check.id.text, check.token.bytes, check.created.milliseconds, check.expires.milliseconds, check.side.rawValue,
        check.person?.text, check.device?.text, check.expectsDepth, check.reference,
        try check.tasks.map { try json($0) },
        check.attempts, check.auditPictures, check.keepsClip,
      ])
  }

  public func check(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await mapped("Reading a check") {
      try await pool.read { db in
        // One statement sees one moment, and costs one journey.
        let rows = try db.rows(
          """
          SELECT c.id, c.token_digest, c.created_ms, c.expires_ms, c.side, c.person, c.device, c.expects_depth,
            c.reference, c.tasks, c.attempts, c.audit_pictures, c.keeps_clip,
            v.decided_ms, v.outcome, v.reason, v.source, v.frames, v.way_out, v.way_back, v.received_count,
            v.received_chain, v.settings, v.earlier, v.side AS turned,
            f.name AS finding, f.result AS found, f.native, f.score, f.calibration, f.reason AS because
          FROM mien.liveness_check c LEFT JOIN mien.verdict v ON v.check_id = c.id
            LEFT JOIN mien.finding f ON f.check_id = c.id
          WHERE c.id = $1 ORDER BY f.ordinal
          """, [id.text])
        guard let row = rows.first else { return nil }
        let record = try Self.record(row)
        guard try row[maybe: "outcome"] as String? != nil else { return (record, nil) }
        return (record, try Self.result(row, findings: rows.compactMap(Self.finding)))
      }
    }
  }

  public func decide(
    _ id: SessionID, _ result: CheckResult, keeping pictures: [KeptPicture], counting rules: LockoutSettings?
  ) async throws {
    try await mapped("Keeping a verdict") {
      try await pool.transaction { db in
        // A journey to the database costs more than what is done there, so that most goes in one.
        let check = try db.rows(
          """
          WITH kept AS (
            INSERT INTO mien.verdict
              (check_id, decided_ms, outcome, reason, source, frames, way_out, way_back, received_count, received_chain,
              settings, earlier, side)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
          ), found AS (
            INSERT INTO mien.finding (check_id, ordinal, name, result, native, score, calibration, reason)
            SELECT $1, ordinal, name, result, native::double precision, score, calibration, reason
            FROM json_to_recordset($14::json) AS f (
              ordinal bigint, name text, result text, native text, score double precision, calibration text, reason text
            )
          ), told AS (
            SELECT id FROM mien.webhook_endpoint
            WHERE disabled_ms IS NULL AND $15 IN (SELECT json_array_elements_text(events)) FOR KEY SHARE
          )
          UPDATE mien.liveness_check SET open = 0 WHERE id = $1
          RETURNING person, device, keeps_clip, (SELECT string_agg(id, ' ' ORDER BY id) FROM told) AS webhooks
          """,
          [
            id.text, result.decided.milliseconds, result.outcome.rawValue, result.reason, result.source.rawValue,
            result.frames, try Self.json(result.wayOut), try Self.json(result.wayBack), result.received?.count,
            result.received?.head, result.settings,
            result.earlier.isEmpty ? nil : try Self.json(result.earlier), result.side?.rawValue,
            try Self.json(result.findings.enumerated().map { StoredFinding($1, ordinal: $0) }),
            WebhookEvent(result.outcome).rawValue,
          ])
        // Without its check the verdict is refused, when the statement ends.
        guard let check = check.first else { throw PostgresFault(.refused("23503")) }
        if result.source == .observed, try check["keeps_clip"] {
          try db.change("INSERT INTO mien.clip (check_id, state) VALUES ($1, 'pending')", [id.text])
        }
        try Self.insert(pictures, of: id, into: &db)
        if let rules {
          let person = (try check[maybe: "person"] as String?).flatMap { PersonID($0) }
          let device = (try check[maybe: "device"] as String?).flatMap { DeviceID($0) }
          let subjects = [person.map { LockoutSubject.person($0) }, device.map { .device($0) }].compactMap(\.self)
          try Self.count(result, of: subjects, rules, in: &db)
        }
        try Self.announce(result, of: id, to: try check[maybe: "webhooks"], into: &db)
      }
    }
  }

  public func expired(before time: UnixTime, limit: Int) async throws -> [SessionID] {
    try await mapped("Looking for expired checks") {
      try await pool.read { db in
        try db.rows(
          "SELECT id FROM mien.liveness_check WHERE open = 1 AND expires_ms < $1 ORDER BY expires_ms LIMIT $2",
          [time.milliseconds, limit]
        ).compactMap { SessionID(try $0["id"]) }
      }
    }
  }

  public func eraseChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
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

  public func erase(_ id: SessionID) async throws -> Bool {
    try await mapped("Erasing a check") {
      try await pool.write { db in try db.change("DELETE FROM mien.liveness_check WHERE id = $1", [id.text]) > 0 }
    }
  }

  private static func record(_ row: PostgresRow) throws -> CheckRecord {
    guard let id = SessionID(try row["id"]), let token = SecretDigest(bytes: try row["token_digest"]),
      let side = Side(rawValue: try row["side"])
    else { throw damaged("a check") }
    return CheckRecord(
      id: id, token: token, created: UnixTime(milliseconds: try row["created_ms"]),
      expires: UnixTime(milliseconds: try row["expires_ms"]), side: side,
      person: (try row[maybe: "person"] as String?).flatMap { PersonID($0) },
      device: (try row[maybe: "device"] as String?).flatMap { DeviceID($0) }, expectsDepth: try row["expects_depth"],
      reference: try row[maybe: "reference"],
      tasks: try (row[maybe: "tasks"] as String?).map { try value($0, "a check") },
      attempts: try row["attempts"], auditPictures: try row[maybe: "audit_pictures"],
      keepsClip: try row["keeps_clip"])
  }

  private static func result(_ row: PostgresRow, findings: [Finding]) throws -> CheckResult {
    guard let outcome = CheckResult.Outcome(rawValue: try row["outcome"]),
      let source = CheckResult.Source(rawValue: try row["source"])
    else { throw damaged("a verdict") }
    return CheckResult(
      outcome: outcome, reason: try row[maybe: "reason"], decided: UnixTime(milliseconds: try row["decided_ms"]),
      source: source, frames: try row["frames"], findings: findings,
      wayOut: try value(try row["way_out"], "a verdict"), wayBack: try value(try row["way_back"], "a verdict"),
      received: try chain(row), settings: try row[maybe: "settings"],
      earlier: try (row[maybe: "earlier"] as String?).map { try value($0, "a verdict") } ?? [],
      side: (try row[maybe: "turned"] as String?).flatMap { Side(rawValue: $0) })
  }

  private static func chain(_ row: PostgresRow) throws -> FrameChain? {
    guard let count = try row[maybe: "received_count"] as Int?, let head = try row[maybe: "received_chain"] as [UInt8]?
    else { return nil }
    guard let chain = FrameChain(count: count, head: head) else { throw damaged("a verdict") }
    return chain
  }

  /// The finding of a row of the join; nil where the verdict has none.
  private static func finding(_ row: PostgresRow) throws -> Finding? {
    guard let name = try row[maybe: "finding"] as String? else { return nil }
    let (result, reason) = (try row["found"] as String, try row[maybe: "because"] as String?)
    if result == "not-assessed" {
      guard let obstacle = reason.flatMap(StoredObstacle.read) else { throw damaged("a finding") }
      return Finding(check: name, result: .notAssessed(obstacle))
    }
    guard let score = Score(try row["score"]) else { throw damaged("a finding") }
    let measure = Finding.Measure(native: try row["native"], score: score, calibration: try row["calibration"])
    if result == "genuine" { return Finding(check: name, result: .genuine(measure)) }
    guard let reason else { throw damaged("a finding") }
    return Finding(check: name, result: .suspect(measure, because: reason))
  }
}

/// A finding as the statement that keeps it reads it.
private struct StoredFinding: Encodable {
  let ordinal: Int
  let name: String
  let result: String
  /// As a text: JSON has no infinity.
  let native: String?
  let score: Double?
  let calibration: String?
  let reason: String?

  init(_ finding: Finding, ordinal: Int) {
    let (result, measure, reason): (String, Finding.Measure?, String?) =
      switch finding.result {
      case .genuine(let measure): ("genuine", measure, nil)
      case .suspect(let measure, let reason): ("suspect", measure, reason)
      case .notAssessed(let obstacle): ("not-assessed", nil, StoredObstacle.text(obstacle))
      }
    self.ordinal = ordinal
    name = finding.check
    self.result = result
    native = measure.map { "\($0.native)" }
    score = measure?.score.value
    calibration = measure?.calibration
    self.reason = reason
  }
}
