/// Performances of message sequences, so that they continue after a restart.
enum PerformanceSchema {
  /// The same columns as in PostgreSQL, where several servers hand performances over to each other.
  static let performances = """
    CREATE TABLE live_performance (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      expires_ms INTEGER NOT NULL,
      server TEXT NOT NULL CHECK (length(server) <= 64),
      epoch INTEGER NOT NULL CHECK (epoch >= 1),
      renewed_ms INTEGER NOT NULL,
      closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
      revision INTEGER NOT NULL CHECK (revision >= 0),
      state BLOB NOT NULL CHECK (length(state) BETWEEN 29 AND 1048576),
      state_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX live_performance_expires ON live_performance (expires_ms);
    """
}
