/// Columns for encrypted values, which are longer than the plaintext and are not numbers.
enum EncryptionSchema {
  /// Existing values remain unencrypted until the server encrypts them (`ColumnReencryptionJob`), because a migration has no key.
  static let sealed = """
    ALTER TABLE verdict ADD COLUMN findings TEXT CHECK (findings IS NULL OR json_valid(findings));
    -- Numbers as texts with all their digits.
    UPDATE verdict SET findings = (
      SELECT json_group_array(json(one)) FROM (
        SELECT json_object(
          'name', name, 'result', result,
          'native', CASE WHEN native IS NULL THEN NULL ELSE printf('%!.17g', native) END,
          'score', CASE WHEN score IS NULL THEN NULL ELSE printf('%!.17g', score) END,
          'calibration', calibration, 'reason', reason) AS one
        FROM finding WHERE finding.check_id = verdict.check_id ORDER BY ordinal
      )
    );
    DROP TABLE finding;

    CREATE TABLE sealed_picture (
      check_id TEXT NOT NULL REFERENCES verdict (check_id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 4),
      kind TEXT NOT NULL CHECK (kind IN ('reference', 'audit')),
      bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 204864),
      box TEXT NOT NULL CHECK (json_valid(box)),
      PRIMARY KEY (check_id, ordinal)
    ) STRICT;
    INSERT INTO sealed_picture
      SELECT check_id, ordinal, kind, bytes, json_array(box_x, box_y, box_width, box_height) FROM picture;
    DROP TABLE picture;
    ALTER TABLE sealed_picture RENAME TO picture;

    ALTER TABLE capture ADD COLUMN sealed_metadata BLOB CHECK (length(sealed_metadata) <= 65600);
    ALTER TABLE capture ADD COLUMN sealed_detection BLOB CHECK (length(sealed_detection) <= 262208);
    UPDATE capture SET sealed_metadata = metadata, sealed_detection = detection;
    ALTER TABLE capture DROP COLUMN metadata;
    ALTER TABLE capture DROP COLUMN detection;
    ALTER TABLE capture RENAME COLUMN sealed_metadata TO metadata;
    ALTER TABLE capture RENAME COLUMN sealed_detection TO detection;

    CREATE TABLE sealed_drawing (
      capture_id TEXT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
      bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 4194368),
      PRIMARY KEY (capture_id, kind)
    ) STRICT;
    INSERT INTO sealed_drawing SELECT capture_id, kind, bytes FROM capture_drawing;
    DROP TABLE capture_drawing;
    ALTER TABLE sealed_drawing RENAME TO capture_drawing;
    """
}
