/// Performances of message sequences, and the servers that hold them.
enum PostgresPerformanceSchema {
  /// Unlogged, like `live_snapshot`: states are worthless after a few minutes.
  static let performances = """
    CREATE UNLOGGED TABLE mien.live_performance (
      id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      expires_ms bigint NOT NULL,
      server text NOT NULL CHECK (length(server) <= 64),
      epoch bigint NOT NULL CHECK (epoch >= 1),
      renewed_ms bigint NOT NULL,
      closed bigint NOT NULL CHECK (closed IN (0, 1)),
      revision bigint NOT NULL CHECK (revision >= 0),
      state bytea NOT NULL CHECK (octet_length(state) BETWEEN 29 AND 1048576),
      state_ms bigint NOT NULL
    ) WITH (fillfactor = 50);
    -- Sealed bytes do not get smaller.
    ALTER TABLE mien.live_performance ALTER COLUMN state SET STORAGE EXTERNAL;
    CREATE INDEX live_performance_expires ON mien.live_performance (expires_ms);
    """
}
