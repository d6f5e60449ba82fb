public import MienService

extension PostgresStore: AuditStore {
  public func add(
    _ entry: AuditEntry, linking: @escaping @Sendable (Int64, [UInt8]) -> [UInt8]
  ) async throws {
    try await mapped("Adding to the audit log") {
      try await pool.transaction { db in
        // Each entry is linked to the previous one, regardless of the server that wrote it.
        try db.advisoryLock("mien audit", "")
        let last = try db.rows("SELECT number, link FROM mien.audit ORDER BY number DESC LIMIT 1").first
        let number = try last.map { try $0["number"] + Int64(1) } ?? Int64(1)
        let before: [UInt8] = try last.map { try $0["link"] } ?? [UInt8](repeating: 0, count: 32)
        try db.send(
          "INSERT INTO mien.audit (number, at_ms, actor, action, subject, link) VALUES ($1, $2, $3, $4, $5, $6)",
          [
            number, entry.at.milliseconds, entry.actor, entry.action.rawValue, entry.subject, linking(number, before),
          ])
      }
    }
  }

  public func auditRecords(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry] {
    try await mapped("Reading the audit log") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.audit WHERE number > $1 ORDER BY number LIMIT $2", [number, limit]).map { row in
          guard let action = AuditAction(rawValue: try row["action"]) else { throw Self.damaged("an audit entry") }
          return ChainedAuditEntry(
            number: try row["number"],
            entry: AuditEntry(
              at: UnixTime(milliseconds: try row["at_ms"]), actor: try row["actor"], action: action,
              subject: try row["subject"]),
            link: try row["link"])
        }
      }
    }
  }

  public func auditCount() async throws -> Int64 {
    try await mapped("Counting the audit log") {
      try await pool.read { db in
        try db.rows("SELECT coalesce(max(number), 0) AS count FROM mien.audit")[0]["count"]
      }
    }
  }
}
