internal import Foundation
internal import GRDB
public import MienAvatars
internal import MienModel
public import MienService
public import MienVault

extension SQLiteStore: MessageStore {
  public func keep(_ message: LockedMessage) async throws {
    let lock = message.lock
    var firstWait: Int64?
    if case .growing(let first) = lock.rules.afterwards { firstWait = first.nanoseconds / 1_000_000 }
    let arguments: StatementArguments = [
      message.id.text, Data(message.receipt.bytes), message.created.milliseconds,
      UnixTime(lock.rules.expires).milliseconds, message.mode.rawValue, message.avatar, message.steps,
      message.needsFrames, message.needsPassive, lock.rules.attempts, firstWait, lock.rules.views, lock.attempts,
      lock.views, lock.lockedUntil.map { UnixTime($0).milliseconds }, lock.end?.rawValue,
      (message.sealed?.key).map { Data($0) },
      (message.sealed?.box).map { Data($0) }, message.hint.map { Data($0) }, message.sealed?.cost?.text,
    ]
    try await mapped("Keeping a message") {
      try await group.write { db in
        try db.execute(
          sql: """
            INSERT INTO message (
              id, receipt_digest, created_ms, expires_ms, mode, avatar, steps, needs_frames, needs_passive,
              attempt_limit, first_wait_ms, view_limit, attempts, views, locked_until_ms, ended, own_key, box, hint, kdf
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, arguments: arguments)
      }
    }
  }

  public func message(_ id: MessageCode) async throws -> LockedMessage? {
    try await mapped("Reading a message") {
      try await database.read { db in try Self.message(id, in: db) }
    }
  }

  public func changeLock<Outcome: Sendable>(
    of id: MessageCode, _ change: @Sendable @escaping (inout LockMachine) -> Outcome
  ) async throws -> (outcome: Outcome, message: LockedMessage)? {
    let changed = try await mapped("Changing a lock") {
      // One connection writes, and each of its transactions is synchronised before this returns.
      try await database.write { db -> (outcome: Outcome, message: LockedMessage, hasEnded: Bool)? in
        guard let before = try Self.message(id, in: db) else { return nil }
        var lock = before.lock
        let outcome = change(&lock)
        guard lock != before.lock else { return (outcome, before, false) }
        try db.execute(
          sql: "UPDATE message SET attempts = ?, views = ?, locked_until_ms = ? WHERE id = ?",
          arguments: [lock.attempts, lock.views, lock.lockedUntil.map { UnixTime($0).milliseconds }, id.text])
        if let end = lock.end {
          try db.execute(
            sql: "UPDATE message SET ended = ?, own_key = NULL, box = NULL, hint = NULL, kdf = NULL WHERE id = ?",
            arguments: [end.rawValue, id.text])
        }
        guard let after = try Self.message(id, in: db) else { throw Self.damaged("a message") }
        return (outcome, after, before.lock.end == nil && lock.end != nil)
      }
    }
    guard let changed else { return nil }
    // It is erased and durable; a log that cannot be emptied now is emptied later, and must not cost the last reader the text.
    if changed.hasEnded { try? await shrinkLog() }
    return (changed.outcome, changed.message)
  }

  public func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    let due = "SELECT id FROM message WHERE ended IS NULL AND expires_ms <= ? ORDER BY expires_ms LIMIT ?"
    let expired = try await mapped("Ending messages") {
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: due, arguments: [time.milliseconds, limit])
      }
      guard !ids.isEmpty else { return 0 }
      return try await database.write { db in
        try db.execute(
          sql: """
            UPDATE message SET ended = 'expired', own_key = NULL, box = NULL, hint = NULL, kdf = NULL WHERE id IN (\(due))
            """, arguments: [time.milliseconds, limit])
        return db.changesCount
      }
    }
    if expired > 0 { try await shrinkLog() }
    return expired
  }

  public func forgetMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    let old = "SELECT id FROM message WHERE ended IS NOT NULL AND expires_ms < ? ORDER BY expires_ms LIMIT ?"
    return try await mapped("Forgetting messages") {
      let ids = try await database.read { db in
        try String.fetchAll(db, sql: old, arguments: [time.milliseconds, limit])
      }
      guard !ids.isEmpty else { return 0 }
      return try await database.write { db in
        try db.execute(sql: "DELETE FROM message WHERE id IN (\(old))", arguments: [time.milliseconds, limit])
        return db.changesCount
      }
    }
  }

  private static func message(_ id: MessageCode, in db: Database) throws -> LockedMessage? {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM message WHERE id = ?", arguments: [id.text]) else {
      return nil
    }
    let end = (row["ended"] as String?).map { LockMachine.End(rawValue: $0) }
    let wait = (row["first_wait_ms"] as Int64?).map { LockRules.Afterwards.growing(first: .milliseconds(Double($0))) }
    guard let receipt = SecretDigest(bytes: Array(row["receipt_digest"] as Data)),
      let mode = LockedMessage.Mode(rawValue: row["mode"]), end != .some(nil),
      let rules = LockRules(
        attempts: row["attempt_limit"], afterwards: wait ?? .lockedForGood, views: row["view_limit"],
        expires: UnixTime(milliseconds: row["expires_ms"]).instant),
      let lock = LockMachine(
        rules: rules, attempts: row["attempts"], views: row["views"],
        lockedUntil: (row["locked_until_ms"] as Int64?).map { UnixTime(milliseconds: $0).instant }, end: end ?? nil)
    else { throw damaged("a message") }
    var sealed: SealedText?
    if let key = row["own_key"] as Data?, let box = row["box"] as Data? {
      let cost = (row["kdf"] as String?).map { KeyDerivationCost(text: $0) }
      guard cost != .some(nil), let read = SealedText(key: Array(key), box: Array(box), cost: cost ?? nil) else {
        throw damaged("a message")
      }
      sealed = read
    }
    return LockedMessage(
      id: id, receipt: receipt, created: UnixTime(milliseconds: row["created_ms"]), mode: mode, avatar: row["avatar"],
      steps: row["steps"], needsFrames: row["needs_frames"], needsPassive: row["needs_passive"], lock: lock,
      sealed: sealed,
      hint: (row["hint"] as Data?).map { Array($0) })
  }
}
