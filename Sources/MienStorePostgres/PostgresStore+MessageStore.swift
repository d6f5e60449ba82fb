public import MienAvatars
internal import MienModel
public import MienService
public import MienVault

extension PostgresStore: MessageStore {
  public func keep(_ message: LockedMessage) async throws {
    let lock = message.lock
    var firstWait: Int64?
    if case .growing(let first) = lock.rules.afterwards { firstWait = first.nanoseconds / 1_000_000 }
    let values: [(any PostgresBindable)?] = [
      message.id.text, message.receipt.bytes, message.created.milliseconds, UnixTime(lock.rules.expires).milliseconds,
      message.mode.rawValue, message.avatar, message.steps, message.needsFrames, message.needsPassive,
      lock.rules.attempts, firstWait, lock.rules.views, lock.attempts, lock.views,
      lock.lockedUntil.map { UnixTime($0).milliseconds }, lock.end?.rawValue, message.sealed?.key, message.sealed?.box,
      message.hint, message.sealed?.cost?.text,
    ]
    try await mapped("Keeping a message") {
      try await pool.write { db in
        try db.insert(
          "message",
          [
            "id", "receipt_digest", "created_ms", "expires_ms", "mode", "avatar", "steps", "needs_frames",
            "needs_passive", "attempt_limit", "first_wait_ms", "view_limit", "attempts", "views", "locked_until_ms",
            "ended", "own_key", "box", "hint", "kdf",
          ], [values])
      }
    }
  }

  public func message(_ id: MessageCode) async throws -> LockedMessage? {
    try await mapped("Reading a message") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.message WHERE id = $1", [id.text]).first.map { try Self.message($0, id) }
      }
    }
  }

  public func changeLock<Outcome: Sendable>(
    of id: MessageCode, _ change: @Sendable @escaping (inout LockMachine) -> Outcome
  ) async throws -> (outcome: Outcome, message: LockedMessage)? {
    try await mapped("Changing a lock") {
      try await pool.transaction { db -> (outcome: Outcome, message: LockedMessage)? in
        // Whoever comes after waits for this row, on whichever server.
        let row = try db.rows("SELECT * FROM mien.message WHERE id = $1 FOR UPDATE", [id.text]).first
        guard let before = try row.map({ try Self.message($0, id) }) else { return nil }
        var lock = before.lock
        let outcome = change(&lock)
        guard lock != before.lock else { return (outcome, before) }
        let values: [(any PostgresBindable)?] = [
          lock.attempts, lock.views, lock.lockedUntil.map { UnixTime($0).milliseconds }, id.text,
        ]
        let after =
          if let end = lock.end {
            try db.rows(
              """
              UPDATE mien.message SET attempts = $1, views = $2, locked_until_ms = $3, ended = $5, own_key = NULL,
                box = NULL, hint = NULL, kdf = NULL WHERE id = $4 RETURNING *
              """, values + [end.rawValue])
          } else {
            try db.rows(
              "UPDATE mien.message SET attempts = $1, views = $2, locked_until_ms = $3 WHERE id = $4 RETURNING *",
              values)
          }
        return (outcome, try Self.message(after[0], id))
      }
    }
  }

  public func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    try await mapped("Ending messages") {
      try await pool.write { db in
        try db.change(
          """
          UPDATE mien.message SET ended = 'expired', own_key = NULL, box = NULL, hint = NULL, kdf = NULL WHERE id IN (
            SELECT id FROM mien.message WHERE ended IS NULL AND expires_ms <= $1 ORDER BY expires_ms LIMIT $2
            FOR UPDATE SKIP LOCKED
          )
          """, [time.milliseconds, limit])
      }
    }
  }

  public func forgetMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await mapped("Forgetting messages") {
      try await pool.write { db in
        try db.change(
          """
          DELETE FROM mien.message WHERE id IN (
            SELECT id FROM mien.message WHERE ended IS NOT NULL AND expires_ms < $1 ORDER BY expires_ms LIMIT $2
            FOR UPDATE SKIP LOCKED
          )
          """, [time.milliseconds, limit])
      }
    }
  }

  private static func message(_ row: PostgresRow, _ id: MessageCode) throws -> LockedMessage {
    let end = (try row[maybe: "ended"] as String?).map { LockMachine.End(rawValue: $0) }
    let wait = (try row[maybe: "first_wait_ms"] as Int64?).map { milliseconds in
      LockRules.Afterwards.growing(first: .milliseconds(Double(milliseconds)))
    }
    guard let receipt = SecretDigest(bytes: try row["receipt_digest"]),
      let mode = LockedMessage.Mode(rawValue: try row["mode"]), end != .some(nil),
      let rules = LockRules(
        attempts: try row["attempt_limit"], afterwards: wait ?? .lockedForGood, views: try row[maybe: "view_limit"],
        expires: UnixTime(milliseconds: try row["expires_ms"]).instant),
      let lock = LockMachine(
        rules: rules, attempts: try row["attempts"], views: try row["views"],
        lockedUntil: (try row[maybe: "locked_until_ms"] as Int64?).map { UnixTime(milliseconds: $0).instant },
        end: end ?? nil)
    else { throw damaged("a message") }
    var sealed: SealedText?
    if let key = try row[maybe: "own_key"] as [UInt8]?, let box = try row[maybe: "box"] as [UInt8]? {
      let cost = (try row[maybe: "kdf"] as String?).map { KeyDerivationCost(text: $0) }
      guard cost != .some(nil), let read = SealedText(key: key, box: box, cost: cost ?? nil) else {
        throw damaged("a message")
      }
      sealed = read
    }
    return LockedMessage(
      id: id, receipt: receipt, created: UnixTime(milliseconds: try row["created_ms"]), mode: mode,
      avatar: try row["avatar"], steps: try row["steps"], needsFrames: try row["needs_frames"],
      needsPassive: try row["needs_passive"], lock: lock, sealed: sealed, hint: try row[maybe: "hint"])
  }
}
