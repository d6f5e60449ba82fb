public import MienPlatform

/// Registration of the servers that share one database; each stores its ID with the work that it acquires.
extension PostgresStore {
  /// Result of joining the cluster.
  public enum JoinResult: Hashable, Sendable {
    /// No other server is active. Unreferenced files may be deleted until ``finishJoining()``; no other server can join before.
    case alone
    /// Other servers are active and may be writing files that are not referenced yet.
    case among
    /// Another server is deleting unreferenced files: retry later.
    case wait
  }

  /// Time in seconds without a heartbeat after which a server counts as inactive and other servers acquire its work.
  public static let timeout = 30

  /// By the database's clock, since the servers' clocks may differ.
  static let activeServers = "SELECT id FROM mien.server WHERE seen_ms > \(now) - \(timeout * 1000)"
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

  /// Registers this server as active.
  public func join() async throws -> JoinResult {
    try await transaction("Joining the servers") { db in
      try db.lock("mien servers", "")
      try db.execute("DELETE FROM mien.server WHERE id = $1 OR id NOT IN (\(Self.activeServers))", [server])
      let others: [Bool] = try db.column("tidying", "SELECT tidying FROM mien.server")
      guard !others.contains(true) else { return .wait }
      try db.execute(
        "INSERT INTO mien.server (id, seen_ms, tidying) VALUES ($1, \(Self.now), $2)", [server, others.isEmpty])
      return others.isEmpty ? .alone : .among
    }
  }

  /// Ends the exclusive period that ``JoinResult/alone`` grants.
  public func finishJoining() async throws {
    _ = try await change("Joining the servers", "UPDATE mien.server SET tidying = 0 WHERE id = $1", [server])
  }

  /// Records that this server is active; call several times within the inactivity timeout.
  ///
  /// Also deletes the states of decided checks: a statement that saves states and started before a check was decided may insert its state
  /// again after the verdict deleted it.
  public func heartbeat() async throws {
    // Rows locked by another transaction are skipped until the next heartbeat, because waiting could cause a deadlock.
    _ = try await change(
      "Sending a heartbeat",
      """
      WITH late AS MATERIALIZED (
        SELECT s.check_id FROM mien.live_snapshot s JOIN mien.liveness_check c ON c.id = s.check_id
        WHERE c.state <> 'open' FOR UPDATE OF s SKIP LOCKED
      ), gone AS (
        DELETE FROM mien.live_snapshot WHERE check_id IN (SELECT check_id FROM late)
      )
      INSERT INTO mien.server (id, seen_ms, tidying) VALUES ($1, \(Self.now), 0)
      ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms
      """, [server])
  }

  /// Unregisters this server, so that other servers can acquire its unfinished work immediately.
  public func leaveCluster() async throws {
    _ = try await change("Leaving the servers", "DELETE FROM mien.server WHERE id = $1", [server])
  }

  /// Returns the marker file that proves that a server has access to the shared files; `candidate` becomes the marker if there was none.
  ///
  /// - Parameter isAlone: `true` if no other server is active; a marker that no capture, scan, or upload depends on is then replaced.
  public func blobPlace(orElse candidate: BlobID?, isAlone: Bool = false) async throws -> BlobID? {
    try await transaction("Looking for the files' place") { db in
      if let candidate {
        if isAlone {
          try db.execute(
            """
            DELETE FROM mien.blob_place WHERE NOT EXISTS (SELECT 1 FROM mien.capture WHERE photo_blob IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM mien.scan_file WHERE blob IS NOT NULL)
              AND NOT EXISTS (SELECT 1 FROM mien.upload_piece)
            """)
        }
        try db.execute(
          "INSERT INTO mien.blob_place (id, blob) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", [candidate])
      }
      return try db.first("SELECT blob FROM mien.blob_place").map { try $0["blob"] }
    }
  }
}
