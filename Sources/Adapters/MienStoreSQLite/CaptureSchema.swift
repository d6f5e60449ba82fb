/// Tables of captures and of the devices that sign them.
enum CaptureSchema {
  /// A capture outlives the registration of its device, so it refers to the device without a foreign key.
  static let captures = """
    CREATE TABLE capture_device (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      public_key BLOB NOT NULL CHECK (length(public_key) = 65),
      counter INTEGER NOT NULL CHECK (counter >= 0),
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE capture (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
      receipt_digest BLOB NOT NULL CHECK (length(receipt_digest) = 32),
      received_ms INTEGER NOT NULL,
      photo_digest BLOB NOT NULL CHECK (length(photo_digest) = 32),
      photo_size INTEGER CHECK (photo_size >= 0),
      photo_blob TEXT UNIQUE CHECK (length(photo_blob) BETWEEN 1 AND 64),
      photo_type TEXT CHECK (photo_type IN ('image/jpeg', 'image/png')),
      depth_digest BLOB CHECK (length(depth_digest) = 32),
      depth_size INTEGER CHECK (depth_size >= 0),
      depth_blob TEXT UNIQUE CHECK (length(depth_blob) BETWEEN 1 AND 64),
      metadata BLOB CHECK (length(metadata) <= 65536),
      detection BLOB CHECK (length(detection) <= 262144),
      claims TEXT NOT NULL CHECK (json_valid(claims)),
      signature TEXT CHECK (signature IS NULL OR json_valid(signature)),
      same_photo INTEGER NOT NULL CHECK (same_photo >= 0),
      counter_before INTEGER CHECK (counter_before >= 0),
      state TEXT NOT NULL CHECK (state IN ('queued', 'analysed', 'hash-only')),
      results TEXT CHECK (results IS NULL OR json_valid(results)),
      CHECK ((state = 'hash-only') = (photo_blob IS NULL)),
      CHECK ((photo_blob IS NULL) = (photo_size IS NULL) AND (photo_blob IS NULL) = (photo_type IS NULL)),
      CHECK ((depth_blob IS NULL) = (depth_size IS NULL) AND (depth_blob IS NULL OR depth_digest IS NOT NULL)),
      CHECK ((state = 'analysed') = (results IS NOT NULL))
    ) STRICT;
    CREATE INDEX capture_photo ON capture (photo_digest, received_ms);
    CREATE INDEX capture_queued ON capture (received_ms) WHERE state = 'queued';

    CREATE TABLE capture_drawing (
      capture_id TEXT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
      kind TEXT NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
      bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 4194304),
      PRIMARY KEY (capture_id, kind)
    ) STRICT;
    """

  /// Additional frames of a capture: a burst or a video. The description is JSON; the blob ID has its own column so that it can be
  /// indexed.
  static let bursts = """
    ALTER TABLE capture ADD COLUMN motion TEXT CHECK (motion IS NULL OR json_valid(motion));
    ALTER TABLE capture ADD COLUMN motion_blob TEXT
      CHECK (length(motion_blob) BETWEEN 1 AND 64)
      CHECK (motion_blob IS NULL OR (motion IS NOT NULL AND photo_blob IS NOT NULL));
    CREATE UNIQUE INDEX capture_motion ON capture (motion_blob) WHERE motion_blob IS NOT NULL;
    CREATE INDEX capture_received ON capture (received_ms);
    """

  /// Key of a genuine app that attests a device's key, its counter before each capture, and challenges for attestation.
  static let attestation = """
    ALTER TABLE capture_device ADD COLUMN attested_id BLOB CHECK (length(attested_id) = 32);
    ALTER TABLE capture_device ADD COLUMN attested_key BLOB
      CHECK (length(attested_key) = 65) CHECK ((attested_key IS NULL) = (attested_id IS NULL));
    ALTER TABLE capture_device ADD COLUMN attested_counter INTEGER
      CHECK (attested_counter BETWEEN 0 AND 4294967295) CHECK ((attested_counter IS NULL) = (attested_id IS NULL));
    ALTER TABLE capture_device ADD COLUMN attested_environment TEXT
      CHECK (attested_environment IN ('production', 'development'))
      CHECK ((attested_environment IS NULL) = (attested_id IS NULL));
    ALTER TABLE capture_device ADD COLUMN attested_ms INTEGER CHECK ((attested_ms IS NULL) = (attested_id IS NULL));
    ALTER TABLE capture ADD COLUMN assertion_before INTEGER CHECK (assertion_before BETWEEN 0 AND 4294967295);

    CREATE TABLE device_challenge (
      digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX device_challenge_expires ON device_challenge (expires_ms);
    """
}
