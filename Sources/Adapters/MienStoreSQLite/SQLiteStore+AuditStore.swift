internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: AuditStore {
  public func add(
    _ entry: AuditEntry, linking: @escaping @Sendable (Int64, [UInt8]) -> [UInt8]
  ) async throws {
    try await mapped("Adding to the audit log") {
      try await group.write { db in
        let last = try Row.fetchOne(db, sql: "SELECT number, link FROM audit ORDER BY number DESC LIMIT 1")
        let number = last.map { $0["number"] + Int64(1) } ?? Int64(1)
        let before = last.map { Array($0["link"] as Data) } ?? [UInt8](repeating: 0, count: 32)
        try db.execute(
          sql: "INSERT INTO audit (number, at_ms, actor, action, subject, link) VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [
            number, entry.at.milliseconds, entry.actor, entry.action.rawValue, entry.subject,
            Data(linking(number, before)),
          ])
      }
    }
  }

  public func auditRecords(after number: Int64, limit: Int) async throws -> [ChainedAuditEntry] {
    try await mapped("Reading the audit log") {
      try await database.read { db in
        try Row.fetchAll(
          db, sql: "SELECT * FROM audit WHERE number > ? ORDER BY number LIMIT ?", arguments: [number, limit]
        ).map { row in
          guard let action = AuditAction(rawValue: row["action"]) else { throw Self.damaged("an audit entry") }
          return ChainedAuditEntry(
            number: row["number"],
            entry: AuditEntry(
              at: UnixTime(milliseconds: row["at_ms"]), actor: row["actor"], action: action, subject: row["subject"]),
            link: Array(row["link"] as Data))
        }
      }
    }
  }

  public func auditCount() async throws -> Int64 {
    try await mapped("Counting the audit log") {
      try await database.read { db in try Int64.fetchOne(db, sql: "SELECT coalesce(max(number), 0) FROM audit") ?? 0 }
    }
  }
}
