internal import MienAccess

/// Audit log: table `audit`.
extension SQLStore {
  public func add(
    _ entry: AuditEntry, linking: @escaping @Sendable (Int64, [UInt8]) -> [UInt8]
  ) async throws {
    try await transaction("Adding to the audit log") { db in
      // Each entry is linked to the previous one, regardless of the server that wrote it.
      try db.lock("mien audit", "")
      let last = try db.first("SELECT number, link FROM mien.audit ORDER BY number DESC LIMIT 1")
      let number = try last.map { try $0["number"] + Int64(1) } ?? Int64(1)
      let before: [UInt8] = try last.map { try $0["link"] } ?? [UInt8](repeating: 0, count: 32)
      try db.insert(
        "audit", ["number", "at_ms", "actor", "action", "subject", "link"],
        [number, entry.at, entry.actor, entry.action, entry.subject, linking(number, before)])
    }
  }

  public func auditRecords(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry] {
    try await read("Reading the audit log") { db in
      try db.rows("SELECT * FROM mien.audit WHERE number > $1 ORDER BY number LIMIT $2", [number, limit]).map { row in
        ChainedAuditEntry(
          number: try row["number"],
          entry: AuditEntry(
            at: try row["at_ms"], actor: try row["actor"], action: try row["action"], subject: try row["subject"]),
          link: try row["link"])
      }
    }
  }

  public func auditCount() async throws -> Int64 {
    try await read("Counting the audit log") { db in
      try db.count("SELECT coalesce(max(number), 0) AS count FROM mien.audit")
    }
  }
}
