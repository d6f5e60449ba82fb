internal import GRDB

/// The schema and its history. A shipped migration is never edited; a new one is added below.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1-checks") { db in
      try db.execute(
        sql: """
          CREATE TABLE api_key (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            created_ms INTEGER NOT NULL
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE liveness_check (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
            token_digest BLOB NOT NULL CHECK (length(token_digest) = 32),
            created_ms INTEGER NOT NULL,
            expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
            side TEXT NOT NULL CHECK (side IN ('subject-left', 'subject-right')),
            person TEXT CHECK (length(person) BETWEEN 1 AND 64),
            expects_depth INTEGER NOT NULL CHECK (expects_depth IN (0, 1)),
            reference TEXT CHECK (length(reference) <= 128),
            open INTEGER NOT NULL DEFAULT 1 CHECK (open IN (0, 1))
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX liveness_check_open ON liveness_check (expires_ms) WHERE open = 1;

          CREATE TABLE verdict (
            check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
            decided_ms INTEGER NOT NULL,
            outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed', 'timed-out')),
            reason TEXT CHECK ((outcome = 'passed') = (reason IS NULL)),
            source TEXT NOT NULL CHECK (source IN ('observed', 'claimed', 'none')),
            frames INTEGER NOT NULL CHECK (frames >= 0),
            way_out TEXT NOT NULL CHECK (json_valid(way_out)),
            way_back TEXT NOT NULL CHECK (json_valid(way_back))
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE finding (
            check_id TEXT NOT NULL REFERENCES verdict (check_id) ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            name TEXT NOT NULL,
            result TEXT NOT NULL CHECK (result IN ('genuine', 'suspect', 'not-assessed')),
            native REAL,
            score REAL CHECK (score BETWEEN 0 AND 1),
            calibration TEXT,
            reason TEXT,
            PRIMARY KEY (check_id, ordinal),
            CHECK ((result = 'not-assessed') = (native IS NULL)),
            CHECK ((native IS NULL) = (score IS NULL) AND (native IS NULL) = (calibration IS NULL)),
            CHECK ((result = 'genuine') = (reason IS NULL))
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE enrolment (
            person TEXT NOT NULL CHECK (length(person) BETWEEN 1 AND 64),
            version INTEGER NOT NULL CHECK (version >= 1),
            created_ms INTEGER NOT NULL,
            thresholds TEXT NOT NULL CHECK (json_valid(thresholds)),
            PRIMARY KEY (person, version)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    return migrator
  }
}
