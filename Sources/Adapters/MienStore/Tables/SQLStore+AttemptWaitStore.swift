internal import MienCore
internal import MienMessageService
internal import MienPlatform

/// Waits after wrong attempts at messages: table `message_wait`.
extension SQLStore {
  public func wait(of digest: SecretDigest) async throws -> AttemptWait? {
    try await read("Reading a wait") { db in try Self.wait(of: digest, in: db) }
  }

  public func changeWait<Outcome: Sendable>(
    of digest: SecretDigest, _ change: @Sendable @escaping (inout AttemptWait?) -> Outcome
  ) async throws -> Outcome {
    try await transaction("Counting an attempt") { db in
      // There may be no row to lock yet.
      try db.lock("mien message wait", Hexadecimal.encode(digest.bytes))
      let before = try Self.wait(of: digest, in: db)
      var wait = before
      let outcome = change(&wait)
      guard wait != before else { return outcome }
      if let wait {
        try db.execute(
          """
          INSERT INTO mien.message_wait (digest, attempts, until_ms) VALUES ($1, $2, $3)
          ON CONFLICT (digest) DO UPDATE SET attempts = excluded.attempts, until_ms = excluded.until_ms
          """, [digest, wait.attempts, wait.until])
      } else {
        try db.execute("DELETE FROM mien.message_wait WHERE digest = $1", [digest])
      }
      return outcome
    }
  }

  public func purgeWaits(before earliest: UnixTime, after latest: UnixTime, limit: Int) async throws -> Int {
    try await change(
      "Deleting waits",
      """
      DELETE FROM mien.message_wait WHERE digest IN (
        SELECT digest FROM mien.message_wait WHERE until_ms < $1 OR until_ms > $2 LIMIT $3 FOR UPDATE SKIP LOCKED
      )
      """, [earliest, latest, limit])
  }

  private static func wait(of digest: SecretDigest, in db: any SQLConnection) throws -> AttemptWait? {
    try db.first("SELECT attempts, until_ms FROM mien.message_wait WHERE digest = $1", [digest]).map {
      AttemptWait(attempts: try $0["attempts"], until: try $0["until_ms"])
    }
  }
}
