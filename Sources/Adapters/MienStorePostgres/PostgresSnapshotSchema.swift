/// Checks under way, and whose they are.
enum PostgresSnapshotSchema {
  /// Not in the log of changes: states are written several times a second and are worth nothing a few minutes later. When the
  /// database itself dies they are gone, and the checks go on with the servers that have them, or begin anew.
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
