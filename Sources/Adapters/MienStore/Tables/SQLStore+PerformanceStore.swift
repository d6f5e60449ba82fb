internal import MienPlatform

/// Deletion of performances: table `live_performance`. Leases depend on the database's clock.
extension SQLStore {
  public func purgePerformances(at time: UnixTime, limit: Int) async throws -> Int {
    try await change(
      "Deleting performances",
      """
      DELETE FROM mien.live_performance WHERE id IN (
        SELECT id FROM mien.live_performance WHERE expires_ms <= $1 ORDER BY expires_ms LIMIT $2
        FOR UPDATE SKIP LOCKED
      )
      """, [time, limit])
  }
}
