/// Owners and checks of scans and captures, so that they are deleted with their check and count toward a quota.
enum ErasureSchema {
  /// Without a foreign key to the check, because the files of a scan or a capture must be deleted first.
  static let owners = """
    ALTER TABLE scan ADD COLUMN check_id TEXT CHECK (length(check_id) BETWEEN 1 AND 64);
    CREATE INDEX scan_check ON scan (check_id) WHERE check_id IS NOT NULL;
    CREATE INDEX scan_owner ON scan (coalesce(owner, x''));
    CREATE INDEX scan_unfinished ON scan (changed_ms) WHERE status IN ('failed', 'cancelled');

    ALTER TABLE capture ADD COLUMN check_id TEXT CHECK (length(check_id) BETWEEN 1 AND 64);
    ALTER TABLE capture ADD COLUMN owner BLOB CHECK (length(owner) = 32);
    ALTER TABLE capture ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0);
    CREATE INDEX capture_check ON capture (check_id) WHERE check_id IS NOT NULL;
    CREATE INDEX capture_owner ON capture (coalesce(owner, x''));

    CREATE INDEX liveness_check_device ON liveness_check (device) WHERE device IS NOT NULL;
    """
}
