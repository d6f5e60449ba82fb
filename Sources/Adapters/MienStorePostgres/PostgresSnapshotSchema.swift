/// State of active checks, and the servers that hold them.
enum PostgresSnapshotSchema {
  /// Unlogged: states are written several times per second and are worthless after a few minutes. After a crash of the database they are
  /// lost; the checks continue on the servers that hold them, or start over.
  static let snapshots = """
    CREATE UNLOGGED TABLE mien.live_snapshot (
      check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
      server text NOT NULL CHECK (length(server) <= 64),
      epoch bigint NOT NULL CHECK (epoch >= 1),
      renewed_ms bigint NOT NULL,
      state bytea CHECK (octet_length(state) BETWEEN 29 AND 1048576),
      state_ms bigint CHECK ((state_ms IS NULL) = (state IS NULL))
    ) WITH (fillfactor = 50);
    -- Sealed bytes do not get smaller.
    ALTER TABLE mien.live_snapshot ALTER COLUMN state SET STORAGE EXTERNAL;
    """
}
