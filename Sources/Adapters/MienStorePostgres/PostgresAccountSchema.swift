/// Tables of accounts, sign-in sessions, and sign-in attempts.
enum PostgresAccountSchema {
  static let accounts = """
    CREATE TABLE mien.account (
      name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
      role text NOT NULL CHECK (role IN ('operator', 'verifier')),
      password text NOT NULL CHECK (length(password) BETWEEN 1 AND 256),
      created_ms bigint NOT NULL,
      changed_ms bigint NOT NULL
    );

    CREATE TABLE mien.account_session (
      digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
      account text NOT NULL REFERENCES mien.account (name) ON DELETE CASCADE,
      created_ms bigint NOT NULL,
      seen_ms bigint NOT NULL,
      expires_ms bigint NOT NULL CHECK (expires_ms > created_ms)
    );
    CREATE INDEX account_session_of ON mien.account_session (account);
    """

  /// Sign-in attempts: the time at which a name or an address has its full allowance again. The digest does not reveal the name or
  /// address. There are few rows and every attempt updates the time, so the table has free space per page and no index on the time, which
  /// allows in-place (HOT) updates.
  static let tries = """
    CREATE TABLE mien.sign_in_try (
      digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
      full_ms bigint NOT NULL
    ) WITH (fillfactor = 50);
    """
}
