public import MienCore
public import MienPlatform
public import MienAccess

/// Rate limits of sign-in attempts: table `sign_in_try`.
extension SQLiteStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await transaction("Counting a sign-in attempt") { db in
      let now = time.milliseconds
      let stored: Int64? = try db.first("SELECT full_ms FROM mien.sign_in_try WHERE digest = $1", [bucket.digest])
        .map { try $0["full_ms"] }
      // The value is clamped, so that after a clock was set back the wait never exceeds the time for one attempt.
      let before = min(max(stored ?? now, now), now + bucket.filling)
      let full = before + bucket.refill
      let wait = full - now - bucket.filling
      guard wait <= 0 else { return .milliseconds(Double(wait)) }
      try db.execute(
        """
        INSERT INTO mien.sign_in_try (digest, full_ms) VALUES ($1, $2)
        ON CONFLICT (digest) DO UPDATE SET full_ms = excluded.full_ms
        """, [bucket.digest, full])
      return nil
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await change(
      "Deleting sign-in attempts", "DELETE FROM mien.sign_in_try WHERE full_ms <= $1 OR full_ms > $2",
      [time, time.adding(longest)])
  }
}
