internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienChecks

/// Checks and their verdicts: tables `liveness_check` and `verdict`.
extension SQLStore {
  public func create(_ check: CheckRecord) async throws {
    try await write("Storing a check") { db in try insert(check, into: db) }
  }

  func insert(_ check: CheckRecord, into db: any SQLConnection) throws {
    try db.insert(
      "liveness_check",
      [
        "id", "token_digest", "created_ms", "expires_ms", "side", "person", "device", "expects_depth", "reference",
        "assurance", "bits_of_choice", "tasks", "attempts", "audit_images", "keeps_clip", "sources", "takes_scan",
        "takes_captures", "takes_tasks", "face_reference", "template_use", "return_url",
      ],
      [
        check.id, check.token, check.created, check.expires, check.side, check.person, check.device, check.expectsDepth,
        check.reference, check.assurance, check.bitsOfChoice,
        try check.tasks.map { try keyring.json($0, .tasks, of: check.id.text) }, check.attempts,
        check.auditImages, check.keepsClip, check.sources, check.takesScan,
        check.takesCaptures, check.takesTasks,
        check.faceReference.map { keyring.close($0.bytes, .faceReference, of: check.id.text) }, check.templateUse,
        check.returnURL,
      ])
  }

  public func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)? {
    try await lookup("Reading a check") { db in
      try db.first(CheckQuery.byID, [id]).map { try check($0) }
    }
  }

  public func check(_ id: CheckID, unless version: Int?) async throws -> CheckReading? {
    try await lookup("Reading a check") { db in
      guard let row = try db.first(CheckQuery.byID, [id]) else { return nil }
      let current = row.values.hashValue
      if current == version { return .unchanged }
      let found = try check(row)
      return .read(record: found.record, result: found.result, version: current)
    }
  }

  /// Returns the check and its result from a row with the columns of ``CheckQuery``.
  func check(_ row: SQLRow) throws -> (record: CheckRecord, result: CheckResult?) {
    let record = try record(row)
    guard let outcome: CheckResult.Outcome = try row[optional: "outcome"] else { return (record, nil) }
    return (record, try result(row, outcome, of: record.id))
  }

  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], template: FaceReference?,
    counting rules: LockoutSettings?, under epoch: Int?
  ) async throws {
    try await transaction("Storing a verdict") { db in
      let check = try storeVerdict(result, of: id, under: epoch, in: db)
      if result.source == .observed, try check["keeps_clip"] {
        try db.insert("clip", ["check_id", "state"], [id, "pending"])
      }
      try insert(images, of: id, into: db)
      if let template { try insert(template, of: id, into: db) }
      if let rules {
        let person: PersonID? = try check[optional: "person"]
        let device: DeviceID? = try check[optional: "device"]
        let subjects = [person.map { LockoutSubject.person($0) }, device.map { .device($0) }].compactMap(\.self)
        try Self.count(result, of: subjects, rules, in: db)
      }
      try announce(result, of: id, to: try check[optional: "webhooks"], into: db)
    }
  }

  static var verdictColumns: [String] {
    [
      "check_id", "decided_ms", "outcome", "reason", "source", "basis", "frames", "outbound_path", "return_path",
      "received_count", "received_chain", "settings", "earlier", "side", "feedback", "findings",
    ]
  }

  /// Returns the values of ``verdictColumns``.
  func verdictValues(_ result: CheckResult, of id: CheckID) throws -> [(any SQLBindable)?] {
    [
      id, result.decided, result.outcome, result.reason, result.source, result.basis, result.frames,
      try keyring.json(result.outboundPath, .outboundPath, of: id.text),
      try keyring.json(result.returnPath, .returnPath, of: id.text),
      result.received?.count, result.received?.head, result.settings,
      result.previousAttempts.isEmpty ? nil : try Self.json(result.previousAttempts), result.side,
      result.feedback.isEmpty ? nil : try Self.json(result.feedback),
      try keyring.json(result.findings.map { StoredFinding($0) }, .findings, of: id.text),
    ]
  }

  public func choose(_ tasks: CheckTasks, bitsOfChoice: Double, for id: CheckID) async throws -> Bool {
    try await change(
      "Choosing the tasks of a check",
      """
      UPDATE mien.liveness_check SET tasks = $1, bits_of_choice = $3, assurance = NULL
      WHERE id = $2 AND takes_tasks = 1 AND state = 'open'
        AND id NOT IN (SELECT check_id FROM mien.live_snapshot WHERE check_id = $2)
      """, [try keyring.json(tasks, .tasks, of: id.text), id, bitsOfChoice]) > 0
  }

  public func declineMatch(of id: CheckID) async throws -> Bool {
    try await change(
      "Deleting the reference of a check",
      """
      UPDATE mien.liveness_check SET face_reference = $1
      WHERE id = $2 AND (face_reference IS NOT NULL OR template_use = 'match') AND state = 'open'
        AND id NOT IN (SELECT check_id FROM mien.live_snapshot WHERE check_id = $2)
      """, [keyring.close(FaceReference.declined.bytes, .faceReference, of: id.text), id]) > 0
  }

  public func expired(before time: UnixTime, limit: Int) async throws -> [CheckID] {
    try await ids(
      "Looking for expired checks",
      "SELECT id FROM mien.liveness_check WHERE state = 'open' AND expires_ms < $1 ORDER BY expires_ms LIMIT $2",
      [time, limit])
  }

  public func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int {
    try await purging(
      change(
        "Deleting old checks",
        """
        DELETE FROM mien.liveness_check WHERE id IN (
          SELECT check_id FROM mien.verdict WHERE decided_ms < $1 ORDER BY decided_ms LIMIT $2
        )
        """, [time, limit]))
  }

  // MARK: - Rows

  private func record(_ row: SQLRow) throws -> CheckRecord {
    let id: CheckID = try row["id"]
    return CheckRecord(
      id: id, token: try row["token_digest"], created: try row["created_ms"], expires: try row["expires_ms"],
      side: try row["side"], person: try row[optional: "person"], device: try row[optional: "device"],
      expectsDepth: try row["expects_depth"], reference: try row[optional: "reference"],
      assurance: try row[optional: "assurance"], bitsOfChoice: try row["bits_of_choice"],
      tasks: try (row[optional: "tasks"] as String?).map { try keyring.value($0, .tasks, of: id.text) },
      attempts: try row[optional: "attempts"], auditImages: try row[optional: "audit_images"],
      keepsClip: try row["keeps_clip"], sources: try row["sources"], takesScan: try row["takes_scan"],
      takesCaptures: try row["takes_captures"], takesTasks: try row["takes_tasks"],
      faceReference: try (row[optional: "face_reference"] as [UInt8]?).map {
        FaceReference(stored: try keyring.open($0, .faceReference, of: id.text))
      }, templateUse: try row[optional: "template_use"], returnURL: try row[optional: "return_url"])
  }

  private func result(_ row: SQLRow, _ outcome: CheckResult.Outcome, of id: CheckID) throws -> CheckResult {
    let findings: [StoredFinding] = try keyring.value(try row["findings"], .findings, of: id.text)
    return CheckResult(
      outcome: outcome, reason: try row[optional: "reason"], decided: try row["decided_ms"], source: try row["source"],
      basis: try row["basis"], frames: try row["frames"],
      findings: try findings.map { stored in
        guard let finding = stored.finding else { throw SQLReadError() }
        return finding
      },
      outboundPath: try keyring.value(try row["outbound_path"], .outboundPath, of: id.text),
      returnPath: try keyring.value(try row["return_path"], .returnPath, of: id.text), received: try Self.chain(row),
      settings: try row[optional: "settings"],
      previousAttempts: try (row[optional: "earlier"] as String?).map { try Self.value($0) } ?? [],
      side: try row[optional: "verdict_side"],
      feedback: try (row[optional: "feedback"] as String?).map { try Self.value($0) } ?? [])
  }

  private static func chain(_ row: SQLRow) throws -> FrameHashChain? {
    guard let count: Int = try row[optional: "received_count"] else { return nil }
    guard let chain = FrameHashChain(count: count, head: try row["received_chain"]) else { throw SQLReadError() }
    return chain
  }
}

/// Query for a check with its verdict; a single statement sees a consistent state of the database.
enum CheckQuery {
  static let columns = """
    c.*, v.decided_ms, v.outcome, v.reason, v.source, v.basis, v.frames, v.outbound_path, v.return_path, v.received_count, \
    v.received_chain, v.settings, v.earlier, v.side AS verdict_side, v.feedback, \
    v.findings
    """
  static let tables = "mien.liveness_check c LEFT JOIN mien.verdict v ON v.check_id = c.id"
  static let byID = "SELECT \(columns) FROM \(tables) WHERE c.id = $1"
}
