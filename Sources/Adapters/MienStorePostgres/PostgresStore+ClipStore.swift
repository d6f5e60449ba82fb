public import MienCore
public import MienService

extension PostgresStore: ClipStore {
  public func pendingClips(limit: Int) async throws -> [(check: CheckID, decided: UnixTime)] {
    try await mapped("Looking for films to make") {
      try await pool.read { db in
        try db.rows(
          """
          SELECT c.check_id, v.decided_ms FROM mien.clip c JOIN mien.verdict v ON v.check_id = c.check_id
          WHERE c.state = 'pending' ORDER BY v.decided_ms LIMIT $1
          """, [limit]
        ).compactMap { row in
          try CheckID(try row["check_id"]).map { ($0, UnixTime(milliseconds: try row["decided_ms"])) }
        }
      }
    }
  }

  public func endClip(of id: CheckID, _ bytes: [UInt8]?) async throws {
    try await mapped("Keeping a film") {
      _ = try await pool.write { db in
        try db.change(
          "UPDATE mien.clip SET state = $1, bytes = $2 WHERE check_id = $3 AND state = 'pending'",
          [bytes == nil ? "failed" : "ready", bytes.map { keyring.close($0, .clip, of: id.text) }, id.text])
      }
    }
  }

  public func clip(of id: CheckID) async throws -> ClipRecord? {
    try await mapped("Reading a film") {
      try await pool.read { db in
        guard let row = try db.rows("SELECT state, bytes FROM mien.clip WHERE check_id = $1", [id.text]).first else {
          return nil
        }
        switch try row["state"] as String {
        case "pending": return .pending
        case "failed": return .failed
        default: return .ready(try keyring.open(try row["bytes"], .clip, of: id.text))
        }
      }
    }
  }

  public func deleteClips(decidedBefore time: UnixTime) async throws -> Int {
    try await mapped("Erasing films") {
      try await pool.write { db in
        try db.change(
          """
          DELETE FROM mien.clip c USING mien.verdict v
          WHERE v.check_id = c.check_id AND v.decided_ms < $1 AND c.state <> 'pending'
          """, [time.milliseconds])
      }
    }
  }
}
