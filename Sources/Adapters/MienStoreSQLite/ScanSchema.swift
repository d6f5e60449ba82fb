/// Tables of depth scans, their files, and their subjects.
enum ScanSchema {
  static let scans = """
    CREATE TABLE scan_subject (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      note TEXT CHECK (length(note) BETWEEN 1 AND 2000),
      due TEXT CHECK (due GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
      created_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX scan_subject_due ON scan_subject (due, name) WHERE due IS NOT NULL;
    CREATE INDEX scan_subject_newest ON scan_subject (created_ms, id);

    CREATE TABLE scan (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
      subject TEXT REFERENCES scan_subject (id) ON DELETE CASCADE,
      label TEXT CHECK (length(label) BETWEEN 1 AND 200),
      kind TEXT NOT NULL CHECK (kind IN ('face', 'object')),
      photos_expected INTEGER NOT NULL CHECK (photos_expected BETWEEN 0 AND 1000),
      created_ms INTEGER NOT NULL,
      changed_ms INTEGER NOT NULL,
      owner BLOB CHECK (length(owner) = 32),
      status TEXT NOT NULL CHECK (status IN ('uploading', 'queued', 'working', 'done', 'failed', 'cancelled')),
      phase TEXT,
      fraction REAL CHECK (fraction BETWEEN 0 AND 1),
      attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
      problem_code TEXT CHECK (length(problem_code) BETWEEN 1 AND 64),
      problem_detail TEXT CHECK (length(problem_detail) BETWEEN 1 AND 4000),
      content BLOB CHECK (length(content) = 32),
      request TEXT CHECK (length(request) BETWEEN 1 AND 64),
      outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
      CHECK ((status = 'failed') = (problem_code IS NOT NULL)),
      CHECK ((problem_code IS NULL) = (problem_detail IS NULL)),
      CHECK ((phase IS NULL) = (fraction IS NULL)),
      CHECK (status <> 'done' OR outcome IS NOT NULL)
    ) STRICT;
    CREATE INDEX scan_newest ON scan (created_ms, id);
    CREATE INDEX scan_subject_scans ON scan (subject, created_ms) WHERE subject IS NOT NULL;
    CREATE INDEX scan_status ON scan (status, created_ms, id);
    CREATE INDEX scan_waiting ON scan (changed_ms) WHERE status IN ('queued', 'working');
    CREATE INDEX scan_uploading ON scan (changed_ms) WHERE status = 'uploading';
    CREATE UNIQUE INDEX scan_request ON scan (coalesce(owner, x''), request) WHERE request IS NOT NULL;
    CREATE INDEX scan_content ON scan (content) WHERE content IS NOT NULL;

    CREATE TABLE scan_file (
      scan_id TEXT NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
      role TEXT NOT NULL CHECK (role IN ('sent', 'result')),
      name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
      type TEXT NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
      bytes INTEGER NOT NULL CHECK (bytes >= 0),
      received INTEGER NOT NULL CHECK (received BETWEEN 0 AND bytes),
      upload TEXT UNIQUE CHECK (length(upload) BETWEEN 1 AND 64),
      blob TEXT UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
      digest BLOB CHECK (length(digest) = 32),
      PRIMARY KEY (scan_id, role, name),
      CHECK ((blob IS NULL) = (digest IS NULL)),
      CHECK (blob IS NULL OR received = bytes),
      CHECK (blob IS NOT NULL OR upload IS NOT NULL),
      CHECK (role = 'sent' OR upload IS NULL)
    ) STRICT;
    """
}
