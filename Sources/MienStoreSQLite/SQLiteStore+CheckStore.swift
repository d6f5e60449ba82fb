internal import Foundation
internal import GRDB
public import MienModel
public import MienService

extension SQLiteStore: CheckStore {
  public func create(_ check: CheckRecord) async throws {
    try await mapped("Keeping a new check") {
      try await group.write { db in try Self.insert(check, into: db) }
    }
  }

  static func insert(_ check: CheckRecord, into db: Database) throws {
    try db.cachedStatement(
      sql: """
        INSERT INTO liveness_check
          (id, token_digest, created_ms, expires_ms, side, person, device, expects_depth, reference, tasks, attempts,
          audit_pictures, keeps_clip)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        check.id.text, Data(check.token.bytes), check.created.milliseconds, check.expires.milliseconds,
        check.side.rawValue, check.person?.text, check.device?.text, check.expectsDepth, check.reference,
        try check.tasks.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }, check.attempts,
        check.auditPictures, check.keepsClip,
      ])
  }

  public func check(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await mapped("Reading a check") {
      try await database.read { db in
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM liveness_check WHERE id = ?", arguments: [id.text])
        else { return nil }
        let record = try Self.record(row)
        guard let verdict = try Row.fetchOne(db, sql: "SELECT * FROM verdict WHERE check_id = ?", arguments: [id.text])
        else { return (record, nil) }
        let findings = try Row.fetchAll(
          db, sql: "SELECT * FROM finding WHERE check_id = ? ORDER BY ordinal", arguments: [id.text])
        return (record, try Self.result(verdict, findings: findings.map(Self.finding)))
      }
    }
  }

  public func decide(
    _ id: SessionID, _ result: CheckResult, keeping pictures: [KeptPicture], counting rules: LockoutSettings?
  ) async throws {
    try await mapped("Keeping a verdict") {
      try await group.write { db in
        try db.execute(
          sql: """
            INSERT INTO verdict
              (check_id, decided_ms, outcome, reason, source, frames, way_out, way_back, received_count, received_chain,
              settings, earlier, side)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            id.text, result.decided.milliseconds, result.outcome.rawValue, result.reason, result.source.rawValue,
            result.frames, Self.json(result.wayOut), Self.json(result.wayBack), result.received?.count,
            result.received.map { Data($0.head) }, result.settings,
            result.earlier.isEmpty ? nil : Self.json(result.earlier), result.side?.rawValue,
          ])
        try db.execute(sql: "UPDATE liveness_check SET open = 0 WHERE id = ?", arguments: [id.text])
        if result.source == .observed {
          try db.execute(
            sql:
              "INSERT INTO clip (check_id, state) SELECT id, 'pending' FROM liveness_check WHERE id = ? AND keeps_clip",
            arguments: [id.text])
        }
        for (ordinal, finding) in result.findings.enumerated() {
          try Self.insert(finding, ordinal: ordinal, of: id, into: db)
        }
        for (ordinal, picture) in pictures.enumerated() {
          try Self.insert(picture, ordinal: ordinal, of: id, into: db)
        }
        if let rules { try Self.count(result, of: id, rules, in: db) }
        try Self.announce(result, of: id, into: db)
      }
    }
  }

  public func expired(before time: UnixTime, limit: Int) async throws -> [SessionID] {
    try await mapped("Looking for expired checks") {
      try await database.read { db in
        try String.fetchAll(
          db, sql: "SELECT id FROM liveness_check WHERE open = 1 AND expires_ms < ? ORDER BY expires_ms LIMIT ?",
          arguments: [time.milliseconds, limit]
        ).compactMap { SessionID($0) }
      }
    }
  }

  public func eraseChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    let erased = try await mapped("Erasing old checks") {
      // Almost always there is nothing to do: look before taking the writer's turn.
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
    if erased > 0 { try await shrinkLog() }
    return erased
  }

  public func erase(_ id: SessionID) async throws -> Bool {
    let erased = try await mapped("Erasing a check") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM liveness_check WHERE id = ?", arguments: [id.text])
        return db.changesCount > 0
      }
    }
    if erased { try await shrinkLog() }
    return erased
  }

  private static func insert(_ finding: Finding, ordinal: Int, of id: SessionID, into db: Database) throws {
    let columns: (result: String, measure: Finding.Measure?, reason: String?) =
      switch finding.result {
      case .genuine(let measure): ("genuine", measure, nil)
      case .suspect(let measure, let reason): ("suspect", measure, reason)
      case .notAssessed(let obstacle): ("not-assessed", nil, StoredObstacle.text(obstacle))
      }
    try db.execute(
      sql: """
        INSERT INTO finding (check_id, ordinal, name, result, native, score, calibration, reason)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id.text, ordinal, finding.check, columns.result, columns.measure?.native, columns.measure?.score.value,
        columns.measure?.calibration, columns.reason,
      ])
  }

  static func record(_ row: Row) throws -> CheckRecord {
    guard let id = SessionID(row["id"]), let token = SecretDigest(bytes: Array(row["token_digest"] as Data)),
      let side = Side(rawValue: row["side"])
    else { throw damaged("a check") }
    return CheckRecord(
      id: id, token: token, created: UnixTime(milliseconds: row["created_ms"]),
      expires: UnixTime(milliseconds: row["expires_ms"]), side: side,
      person: (row["person"] as String?).flatMap { PersonID($0) },
      device: (row["device"] as String?).flatMap { DeviceID($0) }, expectsDepth: row["expects_depth"],
      reference: row["reference"], tasks: try tasks(row["tasks"]),
      attempts: row["attempts"], auditPictures: row["audit_pictures"], keepsClip: row["keeps_clip"])
  }

  private static func tasks(_ text: String?) throws -> CheckTasks? {
    guard let text else { return nil }
    guard let tasks = try? JSONDecoder().decode(CheckTasks.self, from: Data(text.utf8)) else {
      throw damaged("a check")
    }
    return tasks
  }

  private static func result(_ row: Row, findings: [Finding]) throws -> CheckResult {
    guard let outcome = CheckResult.Outcome(rawValue: row["outcome"]),
      let source = CheckResult.Source(rawValue: row["source"])
    else { throw damaged("a verdict") }
    return CheckResult(
      outcome: outcome, reason: row["reason"], decided: UnixTime(milliseconds: row["decided_ms"]), source: source,
      frames: row["frames"], findings: findings, wayOut: try angles(row["way_out"]),
      wayBack: try angles(row["way_back"]), received: try chain(row), settings: row["settings"],
      earlier: try earlier(row["earlier"]), side: (row["side"] as String?).flatMap { Side(rawValue: $0) })
  }

  private static func earlier(_ text: String?) throws -> [FailedAttempt] {
    guard let text else { return [] }
    guard let attempts = try? JSONDecoder().decode([FailedAttempt].self, from: Data(text.utf8)) else {
      throw damaged("a verdict")
    }
    return attempts
  }

  private static func chain(_ row: Row) throws -> FrameChain? {
    guard let count = row["received_count"] as Int?, let head = row["received_chain"] as Data? else { return nil }
    guard let chain = FrameChain(count: count, head: Array(head)) else { throw damaged("a verdict") }
    return chain
  }

  private static func finding(_ row: Row) throws -> Finding {
    let name: String = row["name"]
    let reason: String? = row["reason"]
    let result: String = row["result"]
    if result == "not-assessed" {
      guard let obstacle = reason.flatMap(StoredObstacle.read) else { throw damaged("a finding") }
      return Finding(check: name, result: .notAssessed(obstacle))
    }
    guard let score = Score(row["score"]) else { throw damaged("a finding") }
    let measure = Finding.Measure(native: row["native"], score: score, calibration: row["calibration"])
    if result == "genuine" { return Finding(check: name, result: .genuine(measure)) }
    guard let reason else { throw damaged("a finding") }
    return Finding(check: name, result: .suspect(measure, because: reason))
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private static func angles(_ text: String) throws -> [Float] {
    guard let angles = try? JSONDecoder().decode([Float].self, from: Data(text.utf8)) else {
      throw damaged("a verdict")
    }
    return angles
  }

  static func damaged(_ what: String) -> StoreError {
    StoreError(.unavailable, reason: "The database holds \(what) that cannot be read. Restore it from a backup.")
  }
}
