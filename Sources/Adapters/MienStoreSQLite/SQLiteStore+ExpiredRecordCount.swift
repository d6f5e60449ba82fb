internal import GRDB
internal import MienCore
public import MienService

extension SQLiteStore: RetentionStore {
  public func aged(_ kind: RetentionRule, before time: UnixTime) async throws -> ExpiredRecordCount {
    let (table, column) =
      switch kind {
      case .checks: ("verdict", "decided_ms")
      case .captures: ("capture", "received_ms")
      case .scans: ("scan", "created_ms")
      }
    return try await mapped("Counting what is old") {
      try await database.read { db in
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT count(*) AS count, count(*) FILTER (WHERE \(column) < ?) AS before, min(\(column)) AS oldest
            FROM \(table)
            """, arguments: [time.milliseconds])
        return ExpiredRecordCount(
          count: row?["count"] ?? 0, before: row?["before"] ?? 0,
          oldest: (row?["oldest"] as Int64?).map { UnixTime(milliseconds: $0) })
      }
    }
  }
}
