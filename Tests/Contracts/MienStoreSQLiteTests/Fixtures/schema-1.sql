-- A database as version 1 of the schema left it, with one row of each kind. Never edit; a new version gets a new file.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('1-checks');
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
CREATE INDEX liveness_check_open ON liveness_check (expires_ms) WHERE open = 1;

INSERT INTO api_key VALUES(X'0101010101010101010101010101010101010101010101010101010101010101',1767225600000);
INSERT INTO liveness_check VALUES('chk_old',X'0202020202020202020202020202020202020202020202020202020202020202',1767225600000,1767225780000,'subject-left','ada',1,'order 1',0);
INSERT INTO liveness_check VALUES('chk_open',X'0303030303030303030303030303030303030303030303030303030303030303',1767225600000,1767225780000,'subject-right',NULL,0,NULL,1);
INSERT INTO verdict VALUES('chk_old',1767225610000,'failed','wrong-direction','observed',17,'[1,12.5]','[]');
INSERT INTO finding VALUES('chk_old',0,'depth-gate','not-assessed',NULL,NULL,NULL,'no-depth');
INSERT INTO finding VALUES('chk_old',1,'head-turn','suspect',-27.5,0.0,'head-turn-1','wrong-direction');
INSERT INTO enrolment VALUES('ada',1,1767225600000,'{"formula":"depth-gate-1","noseRelief":20,"planeResidual":6,"sheetResidual":2.5,"centreToRim":9,"validFraction":0.6,"nearest":150,"farthest":900,"revision":0}');
COMMIT;
