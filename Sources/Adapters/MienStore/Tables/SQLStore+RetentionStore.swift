internal import MienCore
internal import MienPlatform

/// Counts of records that are due for deletion.
extension SQLStore {
  public func aged(_ kind: RetentionRule, before time: UnixTime) async throws -> ExpiredRecordCount {
    let (table, column) =
      switch kind {
      case .checks: ("verdict", "decided_ms")
      case .captures: ("capture", "received_ms")
      case .scans: ("scan", "created_ms")
      }
    return try await read("Counting old records") { db in
      let row = try db.first(
        """
        SELECT count(*) AS count, count(*) FILTER (WHERE \(column) < $1) AS before, min(\(column)) AS oldest
        FROM mien.\(table)
        """, [time])
      guard let row else { throw SQLReadError() }
      return ExpiredRecordCount(
        count: try row["count"], before: try row["before"], oldest: try row[optional: "oldest"])
    }
  }
}
