/// Columns for encrypted values, which are longer than the plaintext and are not numbers.
enum PostgresEncryptionSchema {
  /// Existing values remain unencrypted until a server encrypts them (`ColumnReencryptionJob`), because a migration has no key.
  static let sealed = """
    ALTER TABLE mien.verdict ADD COLUMN findings json;
    -- Numbers as texts with all their digits.
    UPDATE mien.verdict SET findings = coalesce(
      (
        SELECT json_agg(
          json_build_object(
            'name', f.name, 'result', f.result, 'native', f.native::text, 'score', f.score::text,
            'calibration', f.calibration, 'reason', f.reason)
          ORDER BY f.ordinal)
        FROM mien.finding f WHERE f.check_id = verdict.check_id
      ), '[]');
    DROP TABLE mien.finding;

    ALTER TABLE mien.picture DROP CONSTRAINT picture_bytes_check;
    ALTER TABLE mien.picture ADD CONSTRAINT picture_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 204864);
    ALTER TABLE mien.picture ADD COLUMN box json;
    UPDATE mien.picture SET box = json_build_array(box_x, box_y, box_width, box_height);
    ALTER TABLE mien.picture ALTER COLUMN box SET NOT NULL;
    ALTER TABLE mien.picture DROP COLUMN box_x, DROP COLUMN box_y, DROP COLUMN box_width, DROP COLUMN box_height;

    ALTER TABLE mien.capture DROP CONSTRAINT capture_metadata_check, DROP CONSTRAINT capture_detection_check;
    ALTER TABLE mien.capture ADD CONSTRAINT capture_metadata_check CHECK (octet_length(metadata) <= 65600),
      ADD CONSTRAINT capture_detection_check CHECK (octet_length(detection) <= 262208);
    ALTER TABLE mien.capture_drawing DROP CONSTRAINT capture_drawing_bytes_check;
    ALTER TABLE mien.capture_drawing ADD CONSTRAINT capture_drawing_bytes_check
      CHECK (octet_length(bytes) BETWEEN 1 AND 4194368);
    """
}
