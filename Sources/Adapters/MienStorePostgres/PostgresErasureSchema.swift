/// Owners and checks of scans and captures, so that they are deleted with their check and count toward a quota.
enum PostgresErasureSchema {
  /// Without a foreign key to the check, because the files of a scan or a capture must be deleted first.
  static let owners = """
    ALTER TABLE mien.scan ADD COLUMN check_id text CHECK (length(check_id) BETWEEN 1 AND 64);
    CREATE INDEX scan_check ON mien.scan (check_id) WHERE check_id IS NOT NULL;
    CREATE INDEX scan_owner ON mien.scan (coalesce(owner, ''::bytea));
    CREATE INDEX scan_unfinished ON mien.scan (changed_ms) WHERE status IN ('failed', 'cancelled');

    ALTER TABLE mien.capture ADD COLUMN check_id text CHECK (length(check_id) BETWEEN 1 AND 64);
    ALTER TABLE mien.capture ADD COLUMN owner bytea CHECK (octet_length(owner) = 32);
    ALTER TABLE mien.capture ADD COLUMN bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0);
    CREATE INDEX capture_check ON mien.capture (check_id) WHERE check_id IS NOT NULL;
    CREATE INDEX capture_owner ON mien.capture (coalesce(owner, ''::bytea));

    CREATE INDEX liveness_check_device ON mien.liveness_check (device) WHERE device IS NOT NULL;
    """
}
