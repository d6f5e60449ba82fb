/// Tables of depth scans, and of the coordination between servers.
enum PostgresScanSchema {
  /// `worker` in `scan` is the server that processes the scan.
  static let scans = """
    CREATE TABLE mien.scan_subject (
      id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      note text CHECK (length(note) BETWEEN 1 AND 2000),
      due text CHECK (due ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
      created_ms bigint NOT NULL
    );
    CREATE INDEX scan_subject_due ON mien.scan_subject (due, name) WHERE due IS NOT NULL;
    CREATE INDEX scan_subject_newest ON mien.scan_subject (created_ms, id);

    CREATE TABLE mien.scan (
      id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      subject text REFERENCES mien.scan_subject (id) ON DELETE CASCADE,
      label text CHECK (length(label) BETWEEN 1 AND 200),
      kind text NOT NULL CHECK (kind IN ('face', 'object')),
      photos_expected bigint NOT NULL CHECK (photos_expected BETWEEN 0 AND 1000),
      created_ms bigint NOT NULL,
      changed_ms bigint NOT NULL,
      owner bytea CHECK (octet_length(owner) = 32),
      status text NOT NULL CHECK (status IN ('uploading', 'queued', 'working', 'done', 'failed', 'cancelled')),
      phase text,
      fraction double precision CHECK (fraction BETWEEN 0 AND 1),
      attempts bigint NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      problem_code text CHECK (length(problem_code) BETWEEN 1 AND 64),
      problem_detail text CHECK (length(problem_detail) BETWEEN 1 AND 4000),
      content bytea CHECK (octet_length(content) = 32),
      request text CHECK (length(request) BETWEEN 1 AND 64),
      outcome json,
      worker text,
      -- The order of coming, where the clock does not tell: the embedded store's is in its row numbers.
      arrival bigint GENERATED ALWAYS AS IDENTITY,
      CHECK ((status = 'failed') = (problem_code IS NOT NULL)),
      CHECK ((problem_code IS NULL) = (problem_detail IS NULL)),
      CHECK ((phase IS NULL) = (fraction IS NULL)),
      CHECK (status <> 'done' OR outcome IS NOT NULL)
    );
    CREATE INDEX scan_newest ON mien.scan (created_ms, id);
    CREATE INDEX scan_subject_scans ON mien.scan (subject, created_ms) WHERE subject IS NOT NULL;
    CREATE INDEX scan_status ON mien.scan (status, created_ms, id);
    CREATE INDEX scan_waiting ON mien.scan (changed_ms) WHERE status IN ('queued', 'working');
    CREATE INDEX scan_uploading ON mien.scan (changed_ms) WHERE status = 'uploading';
    CREATE UNIQUE INDEX scan_request ON mien.scan (coalesce(owner, ''::bytea), request) WHERE request IS NOT NULL;
    CREATE INDEX scan_content ON mien.scan (content) WHERE content IS NOT NULL;

    CREATE TABLE mien.scan_file (
      scan_id text NOT NULL REFERENCES mien.scan (id) ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('sent', 'result')),
      name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
      bytes bigint NOT NULL CHECK (bytes >= 0),
      received bigint NOT NULL CHECK (received BETWEEN 0 AND bytes),
      upload text UNIQUE CHECK (length(upload) BETWEEN 1 AND 64),
      blob text UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
      digest bytea CHECK (octet_length(digest) = 32),
      PRIMARY KEY (scan_id, role, name),
      CHECK ((blob IS NULL) = (digest IS NULL)),
      CHECK (blob IS NULL OR received = bytes),
      CHECK (blob IS NOT NULL OR upload IS NOT NULL),
      CHECK (role = 'sent' OR upload IS NULL)
    );
    """

  /// Active servers of this database, the server that analyzes each capture, and the location marker of the shared files.
  static let servers = """
    CREATE TABLE mien.server (
      id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      seen_ms bigint NOT NULL,
      tidying bigint NOT NULL CHECK (tidying IN (0, 1))
    );
    ALTER TABLE mien.capture ADD COLUMN worker text;
    CREATE TABLE mien.blob_place (
      id bigint PRIMARY KEY CHECK (id = 1),
      blob text NOT NULL CHECK (length(blob) BETWEEN 1 AND 64)
    );
    """
}
