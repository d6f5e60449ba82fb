internal import Foundation
internal import GRDB
public import MienService

extension SQLiteStore: AccountStore {
  public func addAccount(_ account: Account) async throws {
    try await mapped("Keeping an account") {
      try await database.write { db in
        try db.execute(
          sql: "INSERT INTO account (name, role, password, created_ms, changed_ms) VALUES (?, ?, ?, ?, ?)",
          arguments: [
            account.name.text, account.role.rawValue, account.password.text, account.created.milliseconds,
            account.changed.milliseconds,
          ])
      }
    }
  }

  public func account(_ name: AccountName) async throws -> Account? {
    try await mapped("Looking up an account") {
      try await database.read { db in
        try Row.fetchOne(db, sql: "SELECT * FROM account WHERE name = ?", arguments: [name.text]).map(Self.account)
      }
    }
  }

  public func accounts() async throws -> [Account] {
    try await mapped("Listing accounts") {
      try await database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM account ORDER BY name").map(Self.account)
      }
    }
  }

  public func changePassword(
    of name: AccountName, to password: PasswordHash, at time: UnixTime
  ) async throws -> Bool {
    try await mapped("Changing a password") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE account SET password = ?, changed_ms = ? WHERE name = ?",
          arguments: [password.text, time.milliseconds, name.text])
        guard db.changesCount > 0 else { return false }
        try db.execute(sql: "DELETE FROM account_session WHERE account = ?", arguments: [name.text])
        return true
      }
    }
  }

  public func removeAccount(_ name: AccountName) async throws -> Bool {
    try await mapped("Removing an account") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM account WHERE name = ?", arguments: [name.text])
        return db.changesCount > 0
      }
    }
  }

  public func addSession(_ session: AccountSession, whileItsPasswordIs password: PasswordHash) async throws {
    try await mapped("Keeping a session") {
      try await database.write { db in
        try db.execute(
          sql: """
            INSERT INTO account_session (digest, account, created_ms, seen_ms, expires_ms)
            SELECT ?, name, ?, ?, ? FROM account WHERE name = ? AND password = ?
            """,
          arguments: [
            Data(session.digest.bytes), session.created.milliseconds, session.seen.milliseconds,
            session.expires.milliseconds, session.account.text, password.text,
          ])
        guard db.changesCount > 0 else {
          throw StoreError(.missing, reason: "Keeping a session: its account or its password is gone.")
        }
      }
    }
  }

  public func session(_ digest: SecretDigest) async throws -> (session: AccountSession, account: Account)? {
    try await mapped("Looking up a session") {
      try await database.read { db in
        let row = try Row.fetchOne(
          db,
          sql: """
            SELECT account.*, account_session.created_ms AS since_ms, seen_ms, expires_ms
            FROM account_session JOIN account ON account.name = account_session.account WHERE digest = ?
            """, arguments: [Data(digest.bytes)])
        return try row.map { row in
          let account = try Self.account(row)
          return (
            AccountSession(
              digest: digest, account: account.name, created: UnixTime(milliseconds: row["since_ms"]),
              seen: UnixTime(milliseconds: row["seen_ms"]), expires: UnixTime(milliseconds: row["expires_ms"])),
            account
          )
        }
      }
    }
  }

  public func touchSession(_ digest: SecretDigest, at time: UnixTime) async throws {
    try await mapped("Noting the use of a session") {
      try await database.write { db in
        try db.execute(
          sql: "UPDATE account_session SET seen_ms = max(seen_ms, ?) WHERE digest = ?",
          arguments: [time.milliseconds, Data(digest.bytes)])
      }
    }
  }

  public func endSession(_ digest: SecretDigest) async throws -> Bool {
    try await mapped("Ending a session") {
      try await database.write { db in
        try db.execute(sql: "DELETE FROM account_session WHERE digest = ?", arguments: [Data(digest.bytes)])
        return db.changesCount > 0
      }
    }
  }

  public func purgeSessions(expiredBy time: UnixTime, idleSince idle: UnixTime) async throws -> Int {
    try await mapped("Forgetting sessions") {
      try await database.write { db in
        try db.execute(
          sql: "DELETE FROM account_session WHERE expires_ms <= ? OR seen_ms < ?",
          arguments: [time.milliseconds, idle.milliseconds])
        return db.changesCount
      }
    }
  }

  private static func account(_ row: Row) throws -> Account {
    guard let name = AccountName(row["name"] as String), let role = AccountRole(rawValue: row["role"]),
      let password = PasswordHash(text: row["password"])
    else { throw damaged("an account") }
    return Account(
      name: name, role: role, password: password, created: UnixTime(milliseconds: row["created_ms"]),
      changed: UnixTime(milliseconds: row["changed_ms"]))
  }
}
