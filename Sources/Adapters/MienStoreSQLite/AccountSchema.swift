/// Tables of accounts, sign-in sessions, and sign-in attempts.
enum AccountSchema {
  static let accounts = """
    CREATE TABLE account (
      name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
      role TEXT NOT NULL CHECK (role IN ('operator', 'verifier')),
      password TEXT NOT NULL CHECK (length(password) BETWEEN 1 AND 256),
      created_ms INTEGER NOT NULL,
      changed_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE account_session (
      digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
      account TEXT NOT NULL REFERENCES account (name) ON DELETE CASCADE,
      created_ms INTEGER NOT NULL,
      seen_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX account_session_of ON account_session (account);
    """

  /// Sign-in attempts: the time at which a name or an address has its full allowance again. The digest does not reveal the name or
  /// address. There are few rows and every attempt updates the time, so an index on it would cost more than it saves.
  static let tries = """
    CREATE TABLE sign_in_try (
      digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
      full_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """
}
