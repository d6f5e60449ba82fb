/// State of active checks, so that they continue after a restart.
enum SnapshotSchema {
  /// The same columns as in PostgreSQL, where several servers hand checks over to each other.
  static let snapshots = """
    CREATE TABLE live_snapshot (
      check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
      server TEXT NOT NULL CHECK (length(server) <= 64),
      epoch INTEGER NOT NULL CHECK (epoch >= 1),
      renewed_ms INTEGER NOT NULL,
      state BLOB CHECK (length(state) BETWEEN 29 AND 1048576),
      state_ms INTEGER CHECK ((state_ms IS NULL) = (state IS NULL))
    ) STRICT;
    """
}
