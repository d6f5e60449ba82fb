internal import Foundation
internal import GRDB
public import MienCore
public import MienService

/// Rate limits of sign-in attempts.
extension SQLiteStore {
  public func takeTry(of bucket: SignInRateLimit, at time: UnixTime) async throws -> Interval? {
    try await mapped("Counting a try to sign in") {
      // Write transactions are serialized, including those of other processes.
      try await database.write { db -> Interval? in
        let (digest, now) = (Data(bucket.digest.bytes), time.milliseconds)
        let kept = try Int64.fetchOne(
          db, sql: "SELECT full_ms FROM sign_in_try WHERE digest = ?", arguments: [digest])
        // The value is clamped, so that after a clock was set back the wait never exceeds the time for one attempt.
        let before = min(max(kept ?? now, now), now + bucket.filling)
        let full = before + bucket.refill
        let wait = full - now - bucket.filling
        guard wait <= 0 else { return .milliseconds(Double(wait)) }
        try db.execute(
          sql: """
            INSERT INTO sign_in_try (digest, full_ms) VALUES (?, ?)
            ON CONFLICT (digest) DO UPDATE SET full_ms = excluded.full_ms
            """, arguments: [digest, full])
        return nil
      }
    }
  }

  public func purgeAttempts(at time: UnixTime, longest: Interval) async throws -> Int {
    try await mapped("Forgetting tries to sign in") {
      try await database.write { db in
        try db.execute(
          sql: "DELETE FROM sign_in_try WHERE full_ms <= ? OR full_ms > ?",
          arguments: [time.milliseconds, time.adding(longest).milliseconds])
        return db.changesCount
      }
    }
  }
}
