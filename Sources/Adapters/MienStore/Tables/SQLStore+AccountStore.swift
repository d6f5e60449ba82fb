internal import MienPlatform
internal import MienAccess

/// Accounts and their sign-in sessions: tables `account` and `account_session`. The rate limits of sign-in attempts depend on the
/// database's clock.
extension SQLStore {
  public func addAccount(_ account: Account) async throws {
    try await write("Storing an account") { db in
      try db.insert(
        "account", ["name", "role", "password", "created_ms", "changed_ms"],
        [account.name, account.role, account.password, account.created, account.changed])
    }
  }

  public func account(_ name: AccountName) async throws -> Account? {
    try await read("Looking up an account") { db in
      try db.first("SELECT * FROM mien.account WHERE name = $1", [name]).map(Self.account)
    }
  }

  public func accounts() async throws -> [Account] {
    try await read("Listing accounts") { db in
      try db.rows("SELECT * FROM mien.account ORDER BY name").map(Self.account)
    }
  }

  public func changePassword(
    of name: AccountName, to password: PasswordHash, at time: UnixTime
  ) async throws -> Bool {
    try await transaction("Changing a password") { db in
      let changed = try db.change(
        "UPDATE mien.account SET password = $1, changed_ms = $2 WHERE name = $3", [password, time, name])
      guard changed > 0 else { return false }
      try db.execute("DELETE FROM mien.account_session WHERE account = $1", [name])
      return true
    }
  }

  public func removeAccount(_ name: AccountName) async throws -> Bool {
    try await change("Removing an account", "DELETE FROM mien.account WHERE name = $1", [name]) > 0
  }

  public func addSession(_ session: AccountSession, whileItsPasswordIs password: PasswordHash) async throws {
    // The account's row is locked, so that a concurrent password change either ends this session or prevents it.
    let stored = try await change(
      "Storing a session",
      """
      INSERT INTO mien.account_session (digest, account, created_ms, seen_ms, expires_ms)
      SELECT $1, name, $2, $3, $4 FROM mien.account WHERE name = $5 AND password = $6 FOR SHARE
      """,
      [session.digest, session.created, session.seen, session.expires, session.account, password])
    guard stored > 0 else {
      throw StoreError(.missing, reason: "Storing a session: its account or its password is gone.")
    }
  }

  public func session(_ digest: SecretDigest) async throws -> (session: AccountSession, account: Account)? {
    try await read("Looking up a session") { db in
      let row = try db.first(
        """
        SELECT account.*, account_session.created_ms AS since_ms, seen_ms, expires_ms
        FROM mien.account_session JOIN mien.account ON account.name = account_session.account WHERE digest = $1
        """, [digest])
      return try row.map { row in
        let account = try Self.account(row)
        let session = AccountSession(
          digest: digest, account: account.name, created: try row["since_ms"], seen: try row["seen_ms"],
          expires: try row["expires_ms"])
        return (session, account)
      }
    }
  }

  public func touchSession(_ digest: SecretDigest, at time: UnixTime) async throws {
    _ = try await change(
      "Recording the use of a session",
      "UPDATE mien.account_session SET seen_ms = CASE WHEN seen_ms > $1 THEN seen_ms ELSE $1 END WHERE digest = $2",
      [time, digest])
  }

  public func endSession(_ digest: SecretDigest) async throws -> Bool {
    try await change("Ending a session", "DELETE FROM mien.account_session WHERE digest = $1", [digest]) > 0
  }

  public func purgeSessions(expiredBy time: UnixTime, idleSince idle: UnixTime) async throws -> Int {
    try await change(
      "Deleting sessions", "DELETE FROM mien.account_session WHERE expires_ms <= $1 OR seen_ms < $2", [time, idle])
  }

  private static func account(_ row: SQLRow) throws -> Account {
    Account(
      name: try row["name"], role: try row["role"], password: try row["password"], created: try row["created_ms"],
      changed: try row["changed_ms"])
  }
}
