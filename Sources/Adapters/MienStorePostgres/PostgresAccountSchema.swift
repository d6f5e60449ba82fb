/// Who may sign in, and who is signed in.
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

  /// Tries to sign in: when a name or an address has all of them again. Whose they are, nobody reads out of the digest. There are
  /// few, and every try changes the time: with room beside it and no index on it that is written in place.
  static let tries = """
    CREATE TABLE mien.sign_in_try (
      digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
      full_ms bigint NOT NULL
    ) WITH (fillfactor = 50);
    """
}
