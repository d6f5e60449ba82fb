internal import MienCore
public import MienService

extension PostgresStore: RetentionStore {
  public func aged(_ kind: RetentionRule, before time: UnixTime) async throws -> ExpiredRecordCount {
    let (table, column) =
      switch kind {
      case .checks: ("verdict", "decided_ms")
      case .captures: ("capture", "received_ms")
      case .scans: ("scan", "created_ms")
      }
    return try await mapped("Counting what is old") {
      try await pool.read { db in
        let row = try db.rows(
          """
          SELECT count(*) AS count, count(*) FILTER (WHERE \(column) < $1) AS before, min(\(column)) AS oldest
          FROM mien.\(table)
          """, [time.milliseconds])[0]
        return ExpiredRecordCount(
          count: try row["count"], before: try row["before"],
          oldest: (try row[maybe: "oldest"] as Int64?).map { UnixTime(milliseconds: $0) })
      }
    }
  }
}
