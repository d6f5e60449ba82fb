/// Scopes of API keys, and the audit log of accesses and deletions.
enum APIKeyAuditSchema {
  /// Existing keys retain full access: their scopes are NULL.
  static let guarding = """
    ALTER TABLE api_key ADD COLUMN name TEXT CHECK (length(name) BETWEEN 1 AND 64);
    ALTER TABLE api_key ADD COLUMN scopes TEXT CHECK (length(scopes) BETWEEN 1 AND 256);
    ALTER TABLE api_key ADD COLUMN expires_ms INTEGER;
    ALTER TABLE api_key ADD COLUMN revoked_ms INTEGER;
    ALTER TABLE api_key ADD COLUMN last_used_ms INTEGER;

    CREATE TABLE audit (
      number INTEGER NOT NULL PRIMARY KEY CHECK (number >= 1),
      at_ms INTEGER NOT NULL,
      actor TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 80),
      action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 32),
      subject TEXT NOT NULL CHECK (length(subject) <= 160),
      link BLOB NOT NULL CHECK (length(link) = 32)
    ) STRICT;
    CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
    CREATE TRIGGER audit_is_not_erased BEFORE DELETE ON audit
      BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
    """
}
