public import MienService

/// The servers that work on one database, by the names that they write beside the work they take up.
extension PostgresStore {
  /// What a server finds when it enters.
  public enum JoinResult: Hashable, Sendable {
    /// No other lives: files that nobody knows may be tidied away until ``settle()``; nobody else enters before.
    case alone
    /// Others live, and may be writing files that nobody knows yet.
    case among
    /// Another tidies: ask again.
    case wait
  }

  /// A server that was not heard of for so long, in seconds, is gone: what it worked on is taken up by others.
  public static let patience = 30

  /// Servers of which was heard; by the database's clock, since theirs may differ.
  static let living = """
    SELECT id FROM mien.server WHERE seen_ms > \(now) - \(patience * 1000)
    """
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

  /// Writes this server's name among those that live.
  public func join() async throws -> JoinResult {
    try await mapped("Entering the servers") {
      try await pool.transaction { db in
        try db.advisoryLock("mien servers", "")
        try db.send("DELETE FROM mien.server WHERE id = $1 OR id NOT IN (\(Self.living))", [server])
        let others = try db.rows("SELECT tidying FROM mien.server")
        guard try others.allSatisfy({ try $0["tidying"] as Int == 0 }) else { return .wait }
        try db.send(
          "INSERT INTO mien.server (id, seen_ms, tidying) VALUES ($1, \(Self.now), $2)", [server, others.isEmpty])
        return others.isEmpty ? .alone : .among
      }
    }
  }

  /// Ends the tidying that ``JoinResult/alone`` allows.
  public func finishJoining() async throws {
    _ = try await change("Entering the servers", "UPDATE mien.server SET tidying = 0 WHERE id = $1", [server])
  }

  /// Tells the others that this server lives; several times within ``patience``.
  ///
  /// Takes away states of decided checks as well: a statement that keeps states and began before a check was decided
  /// may put its state there anew after the verdict took it away.
  public func heartbeat() async throws {
    // What somebody else holds just now goes the next time: waiting for it could be waiting for each other.
    _ = try await change(
      "Telling the servers",
      """
      WITH late AS MATERIALIZED (
        SELECT s.check_id FROM mien.live_snapshot s JOIN mien.liveness_check c ON c.id = s.check_id
        WHERE c.open = 0 FOR UPDATE OF s SKIP LOCKED
      ), gone AS (
        DELETE FROM mien.live_snapshot WHERE check_id IN (SELECT check_id FROM late)
      )
      INSERT INTO mien.server (id, seen_ms, tidying) VALUES ($1, \(Self.now), 0)
      ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms
      """, [server])
  }

  /// Takes this server's name away: what it has not finished is others' at once.
  public func leaveCluster() async throws {
    _ = try await change("Leaving the servers", "DELETE FROM mien.server WHERE id = $1", [server])
  }

  /// The file that shows that a server sees the files of all of them; `candidate` when there was none yet.
  ///
  /// - Parameter isAlone: true where no other server lives: then a place that no capture or scan has a file in may be left.
  public func blobPlace(orElse candidate: BlobID?, isAlone: Bool = false) async throws -> BlobID? {
    try await mapped("Looking for the files' place") {
      try await pool.transaction { db in
        if let candidate {
          if isAlone {
            try db.send(
              """
              DELETE FROM mien.blob_place WHERE NOT EXISTS (SELECT 1 FROM mien.capture WHERE photo_blob IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM mien.scan_file WHERE blob IS NOT NULL)
                AND NOT EXISTS (SELECT 1 FROM mien.upload_piece)
              """)
          }
          try db.send(
            "INSERT INTO mien.blob_place (id, blob) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", [candidate.text])
        }
        return try db.rows("SELECT blob FROM mien.blob_place").first.flatMap { BlobID(try $0["blob"]) }
      }
    }
  }
}
