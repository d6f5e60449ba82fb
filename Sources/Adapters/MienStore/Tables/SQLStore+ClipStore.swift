internal import MienCore
internal import MienPlatform
internal import MienSecurity
internal import MienChecks

/// Videos of checks: table `clip`.
extension SQLStore {
  public func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)] {
    try await read("Looking for clips to encode") { db in
      try db.rows(
        """
        SELECT c.check_id, v.decided_ms FROM mien.clip c JOIN mien.verdict v ON v.check_id = c.check_id
        WHERE c.state = 'pending' ORDER BY v.decided_ms LIMIT $1
        """, [limit]
      ).map { (try $0["check_id"], try $0["decided_ms"]) }
    }
  }

  public func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws {
    _ = try await change(
      "Storing a clip", "UPDATE mien.clip SET state = $1, bytes = $2 WHERE check_id = $3 AND state = 'pending'",
      [bytes == nil ? "failed" : "ready", bytes.map { keyring.close($0, .clip, of: id.text) }, id])
  }

  public func clip(of id: CheckID) async throws -> ClipRecord? {
    try await read("Reading a clip") { db in
      try db.first("SELECT state, bytes FROM mien.clip WHERE check_id = $1", [id]).map { row in
        switch try row["state"] as String {
        case "pending": .pending
        case "failed": .failed
        default: .ready(try keyring.open(try row["bytes"], .clip, of: id.text))
        }
      }
    }
  }

  public func deleteClips(decidedBefore time: UnixTime) async throws -> Int {
    try await purging(
      change(
        "Deleting clips",
        """
        DELETE FROM mien.clip WHERE state <> 'pending'
          AND check_id IN (SELECT check_id FROM mien.verdict WHERE decided_ms < $1)
        """, [time]))
  }
}
