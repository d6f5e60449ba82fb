internal import MienAvatars
internal import MienCore
internal import MienPlatform
internal import MienMessageService
internal import MienVault

/// Locked messages: table `message`.
extension SQLStore {
  public func save(_ message: MessageRecord) async throws {
    let (lock, rules, sealed) = (message.lock, message.lock.rules, message.sealed)
    let values: [(any SQLBindable)?] = [
      message.id, message.receipt, message.created, UnixTime(rules.expires), message.mode, message.avatar,
      message.steps, message.needsFrames, message.needsPassive, message.link, rules.attempts,
      rules.firstWait.nanoseconds / 1_000_000, rules.views, lock.attempts,
      lock.views, lock.lockedUntil.map { UnixTime($0) }, lock.end, sealed?.key, sealed?.box, message.hint, sealed?.cost,
    ]
    try await write("Storing a message") { db in
      try db.insert(
        "message",
        [
          "id", "receipt_digest", "created_ms", "expires_ms", "mode", "avatar", "steps", "needs_frames",
          "needs_passive", "link_digest", "attempt_limit", "first_wait_ms", "view_limit", "attempts", "views",
          "locked_until_ms",
          "ended", "own_key", "box", "hint", "kdf",
        ], values)
    }
  }

  public func message(_ id: MessageID) async throws -> MessageRecord? {
    try await read("Reading a message") { db in
      try db.first("SELECT * FROM mien.message WHERE id = $1", [id]).map { try Self.message($0, id) }
    }
  }

  public func changeLock<Outcome: Sendable>(
    of id: MessageID, _ change: @Sendable @escaping (inout UnlockPolicyState) -> Outcome
  ) async throws -> (outcome: Outcome, message: MessageRecord)? {
    let changed = try await transaction("Changing a lock") {
      db -> (outcome: Outcome, message: MessageRecord, hasEnded: Bool)? in
      // Concurrent transactions on any server wait for this row.
      let row = try db.first("SELECT * FROM mien.message WHERE id = $1 FOR UPDATE", [id])
      guard let before = try row.map({ try Self.message($0, id) }) else { return nil }
      var lock = before.lock
      let outcome = change(&lock)
      guard lock != before.lock else { return (outcome, before, false) }
      var (deletion, values): (String, [(any SQLBindable)?]) = (
        "", [lock.attempts, lock.views, lock.lockedUntil.map { UnixTime($0) }, id]
      )
      if let end = lock.end {
        deletion = ", ended = $5, \(Self.withoutText)"
        values.append(end)
      }
      let after = try db.first(
        """
        UPDATE mien.message SET attempts = $1, views = $2, locked_until_ms = $3\(deletion) WHERE id = $4 RETURNING *
        """, values)
      guard let after else { throw SQLReadError() }
      return (outcome, try Self.message(after, id), before.lock.end == nil && lock.end != nil)
    }
    guard let changed else { return nil }
    // The deletion is durable. If replaced data cannot be purged now, it is purged later; the reader of the last view must still receive
    // the text.
    if changed.hasEnded { try? await purgeReplaced() }
    return (changed.outcome, changed.message)
  }

  public func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    try await purging(
      change(
        "Ending messages",
        """
        UPDATE mien.message SET ended = 'expired', \(Self.withoutText) WHERE id IN (
          SELECT id FROM mien.message WHERE ended IS NULL AND expires_ms <= $1 ORDER BY expires_ms LIMIT $2
          FOR UPDATE SKIP LOCKED
        )
        """, [time, limit]))
  }

  /// Assignments that delete the encrypted text.
  private static var withoutText: String { "own_key = NULL, box = NULL, hint = NULL, kdf = NULL" }

  public func purgeMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await change(
      "Deleting messages",
      """
      DELETE FROM mien.message WHERE id IN (
        SELECT id FROM mien.message WHERE ended IS NOT NULL AND expires_ms < $1 ORDER BY expires_ms LIMIT $2
        FOR UPDATE SKIP LOCKED
      )
      """, [time, limit])
  }

  static func message(_ row: SQLRow, _ id: MessageID) throws -> MessageRecord {
    guard
      let rules = UnlockPolicy(
        attempts: try row["attempt_limit"],
        firstWait: .milliseconds(Double(try row["first_wait_ms"] as Int64)), views: try row[optional: "view_limit"],
        expires: (try row["expires_ms"] as UnixTime).instant),
      let lock = UnlockPolicyState(
        rules: rules, attempts: try row["attempts"], views: try row["views"],
        lockedUntil: (try row[optional: "locked_until_ms"] as UnixTime?).map(\.instant),
        end: try row[optional: "ended"])
    else { throw SQLReadError() }
    let sealed = try (row[optional: "box"] as [UInt8]?).map { box in
      let sealed = EncryptedText(key: try row["own_key"], box: box, cost: try row["kdf"])
      guard let sealed else { throw SQLReadError() }
      return sealed
    }
    return MessageRecord(
      id: id, receipt: try row["receipt_digest"], created: try row["created_ms"], mode: try row["mode"],
      avatar: try row["avatar"], steps: try row["steps"], needsFrames: try row["needs_frames"],
      needsPassive: try row["needs_passive"], link: try row[optional: "link_digest"], lock: lock, sealed: sealed,
      hint: try row[optional: "hint"])
  }
}
