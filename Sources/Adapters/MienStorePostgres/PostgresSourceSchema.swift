/// Evidence sources that checks accept, and the assurance of verdicts.
enum PostgresSourceSchema {
  /// Sources are a sum of 1 (observed), 2 (claimed), and 4 (depth). Earlier checks accepted any source; from this migration on they
  /// accept only frames.
  static let sources = """
    ALTER TABLE mien.liveness_check ADD COLUMN sources bigint NOT NULL DEFAULT 1 CHECK (sources BETWEEN 1 AND 7);
    ALTER TABLE mien.liveness_check ADD COLUMN takes_scan bigint NOT NULL DEFAULT 0 CHECK (takes_scan IN (0, 1));
    ALTER TABLE mien.verdict ADD COLUMN assurance text NOT NULL DEFAULT 'none'
      CHECK (assurance IN ('none', 'claimed', 'depth', 'frames'));
    UPDATE mien.verdict SET assurance = CASE source WHEN 'observed' THEN 'frames' ELSE source END;
    """
}
