public import MienService

extension PostgresStore: AccountStore {
  public func addAccount(_ account: Account) async throws {
    try await mapped("Keeping an account") {
      try await pool.write { db in
        try db.insert(
          "account", ["name", "role", "password", "created_ms", "changed_ms"],
          [
            [
              account.name.text, account.role.rawValue, account.password.text, account.created.milliseconds,
              account.changed.milliseconds,
            ]
          ])
      }
    }
  }

  public func account(_ name: AccountName) async throws -> Account? {
    try await mapped("Looking up an account") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.account WHERE name = $1", [name.text]).first.map { try Self.account($0) }
      }
    }
  }

  public func accounts() async throws -> [Account] {
    try await mapped("Listing accounts") {
      try await pool.read { db in
        try db.rows("SELECT * FROM mien.account ORDER BY name COLLATE \"C\"").map { try Self.account($0) }
      }
    }
  }

  public func changePassword(
    of name: AccountName, to password: PasswordHash, at time: UnixTime
  ) async throws -> Bool {
    try await mapped("Changing a password") {
      try await pool.transaction { db in
        let changed = try db.change(
          "UPDATE mien.account SET password = $1, changed_ms = $2 WHERE name = $3",
          [password.text, time.milliseconds, name.text])
        guard changed > 0 else { return false }
        try db.send("DELETE FROM mien.account_session WHERE account = $1", [name.text])
        return true
      }
    }
  }

  public func removeAccount(_ name: AccountName) async throws -> Bool {
    try await mapped("Removing an account") {
      try await pool.write { db in try db.change("DELETE FROM mien.account WHERE name = $1", [name.text]) > 0 }
    }
  }

  public func addSession(_ session: AccountSession, whileItsPasswordIs password: PasswordHash) async throws {
    try await mapped("Keeping a session") {
      let kept = try await pool.write { db in
        // The account's row is locked, so that a concurrent password change either ends this session or prevents it.
        try db.change(
          """
          INSERT INTO mien.account_session (digest, account, created_ms, seen_ms, expires_ms)
          SELECT $1, name, $2, $3, $4 FROM mien.account WHERE name = $5 AND password = $6 FOR SHARE
          """,
          [
            session.digest.bytes, session.created.milliseconds, session.seen.milliseconds,
            session.expires.milliseconds, session.account.text, password.text,
          ])
      }
      guard kept > 0 else {
        throw StoreError(.missing, reason: "Keeping a session: its account or its password is gone.")
      }
    }
  }

  public func session(_ digest: SecretDigest) async throws -> (session: AccountSession, account: Account)? {
    try await mapped("Looking up a session") {
      try await pool.read { db in
        let rows = try db.rows(
          """
          SELECT account.*, account_session.created_ms AS since_ms, seen_ms, expires_ms
          FROM mien.account_session JOIN mien.account ON account.name = account_session.account WHERE digest = $1
          """, [digest.bytes])
        return try rows.first.map { row in
          let account = try Self.account(row)
          return (
            AccountSession(
              digest: digest, account: account.name, created: UnixTime(milliseconds: try row["since_ms"]),
              seen: UnixTime(milliseconds: try row["seen_ms"]), expires: UnixTime(milliseconds: try row["expires_ms"])),
            account
          )
        }
      }
    }
  }

  public func touchSession(_ digest: SecretDigest, at time: UnixTime) async throws {
    try await mapped("Noting the use of a session") {
      try await pool.write { db in
        try db.change(
          "UPDATE mien.account_session SET seen_ms = greatest(seen_ms, $1) WHERE digest = $2",
          [time.milliseconds, digest.bytes])
      }
    }
  }

  public func endSession(_ digest: SecretDigest) async throws -> Bool {
    try await mapped("Ending a session") {
      try await pool.write { db in
        try db.change("DELETE FROM mien.account_session WHERE digest = $1", [digest.bytes]) > 0
      }
    }
  }

  public func purgeSessions(expiredBy time: UnixTime, idleSince idle: UnixTime) async throws -> Int {
    try await mapped("Forgetting sessions") {
      try await pool.write { db in
        try db.change(
          "DELETE FROM mien.account_session WHERE expires_ms <= $1 OR seen_ms < $2",
          [time.milliseconds, idle.milliseconds])
      }
    }
  }

  private static func account(_ row: PostgresRow) throws -> Account {
    guard let name = AccountName(try row["name"] as String), let role = AccountRole(rawValue: try row["role"]),
      let password = PasswordHash(text: try row["password"])
    else { throw damaged("an account") }
    return Account(
      name: name, role: role, password: password, created: UnixTime(milliseconds: try row["created_ms"]),
      changed: UnixTime(milliseconds: try row["changed_ms"]))
  }
}
