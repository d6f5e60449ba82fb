/// Pieces of uploads that several servers receive.
enum PostgresUploadSchema {
  /// A file's `worker` is the writer that may add to it. A piece's row is deleted when its blob is deleted, possibly after the upload's
  /// row.
  static let pieces = """
    ALTER TABLE mien.scan_file ADD COLUMN worker text CHECK (length(worker) BETWEEN 1 AND 64);
    CREATE TABLE mien.upload_piece (
      upload text NOT NULL CHECK (length(upload) BETWEEN 1 AND 64),
      start bigint NOT NULL CHECK (start >= 0),
      finish bigint NOT NULL CHECK (finish > start),
      blob text NOT NULL UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
      PRIMARY KEY (upload, start)
    );
    """
}
