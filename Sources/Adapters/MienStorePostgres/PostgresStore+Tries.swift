public import MienCore
public import MienService

/// Rate limits of sign-in attempts, shared by all servers and measured by the database's clock.
extension PostgresStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await mapped("Counting a try to sign in") { () -> Interval? in
      // Concurrent attempts wait for the row and then see the remaining allowance.
      let rows = try await pool.write { db in
        try db.rows(
          """
          WITH taken AS (
            INSERT INTO mien.sign_in_try AS t (digest, full_ms) VALUES ($1, \(Self.statementTime) + $2::bigint)
            ON CONFLICT (digest) DO UPDATE SET full_ms = greatest(t.full_ms, \(Self.statementTime)) + $2::bigint
            WHERE t.full_ms <= \(Self.statementTime) + $3::bigint - $2::bigint
            RETURNING digest
          )
          SELECT (SELECT count(*) FROM taken) AS taken,
            (SELECT full_ms FROM mien.sign_in_try WHERE digest = $1) - \(Self.statementTime) + $2::bigint - $3::bigint AS wait
          """, [bucket.digest.bytes, bucket.refill, bucket.filling])
      }
      guard try rows[0]["taken"] as Int == 0 else { return nil }
      // The row as of the start of the statement: other attempts may have been counted since, or a clock was set back. The wait never
      // exceeds the refill time of one attempt.
      let wait = try rows[0][maybe: "wait"] as Int64?
      let known = wait.flatMap { (1...bucket.refill).contains($0) ? $0 : nil }
      return .milliseconds(Double(known ?? bucket.refill))
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await mapped("Forgetting tries to sign in") {
      try await pool.write { db in
        try db.change(
          "DELETE FROM mien.sign_in_try WHERE full_ms <= \(Self.statementTime) OR full_ms > \(Self.statementTime) + $1::bigint",
          [longest.nanoseconds / 1_000_000])
      }
    }
  }
}
