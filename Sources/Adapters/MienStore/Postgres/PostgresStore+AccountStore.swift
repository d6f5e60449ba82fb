public import MienCore
public import MienPlatform
public import MienAccess

/// Rate limits of sign-in attempts, shared by all servers and measured by the database's clock: table `sign_in_try`.
extension PostgresStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await write("Counting a sign-in attempt") { db -> Interval? in
      // Concurrent attempts wait for the row and then see the remaining allowance.
      let row = try db.first(
        """
        WITH taken AS (
          INSERT INTO mien.sign_in_try AS t (digest, full_ms) VALUES ($1, \(Self.statementTime) + $2::bigint)
          ON CONFLICT (digest) DO UPDATE SET full_ms = greatest(t.full_ms, \(Self.statementTime)) + $2::bigint
          WHERE t.full_ms <= \(Self.statementTime) + $3::bigint - $2::bigint
          RETURNING digest
        )
        SELECT (SELECT count(*) FROM taken) AS taken,
          (SELECT full_ms FROM mien.sign_in_try WHERE digest = $1) - \(Self.statementTime) + $2::bigint - $3::bigint AS wait
        """, [bucket.digest, bucket.refill, bucket.filling])
      guard let row else { throw SQLReadError() }
      if try row["taken"] as Int > 0 { return nil }
      // The row as of the start of the statement: other attempts may have been counted since, or a clock was set back. The wait never
      // exceeds the refill time of one attempt.
      let wait: Int64? = try row[optional: "wait"]
      let known = wait.flatMap { (1...bucket.refill).contains($0) ? $0 : nil }
      return .milliseconds(Double(known ?? bucket.refill))
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await change(
      "Deleting sign-in attempts",
      "DELETE FROM mien.sign_in_try WHERE full_ms <= \(Self.statementTime) OR full_ms > \(Self.statementTime) + $1::bigint",
      [longest.nanoseconds / 1_000_000])
  }
}
