-- A database as version 4 of the schema left it, with one row of each kind. Never edit; a new version gets a new file.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE api_key (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "api_key" VALUES(X'0101010101010101010101010101010101010101010101010101010101010101',1767225600000);
CREATE TABLE dialect_session (
            check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
            dialect TEXT NOT NULL CHECK (dialect IN ('aws')),
            owner TEXT NOT NULL CHECK (length(owner) BETWEEN 1 AND 128),
            request_token TEXT CHECK (length(request_token) BETWEEN 1 AND 64),
            parameters BLOB NOT NULL CHECK (length(parameters) = 32),
            audit_pictures INTEGER NOT NULL CHECK (audit_pictures BETWEEN 0 AND 4)
          ) STRICT, WITHOUT ROWID;
INSERT INTO "dialect_session" VALUES('chk_old','aws','MIENEXAMPLEEXAMPLE77','order-1',X'0606060606060606060606060606060606060606060606060606060606060606',1);
CREATE TABLE enrolment (
  person TEXT NOT NULL CHECK (length(person) BETWEEN 1 AND 64),
  version INTEGER NOT NULL CHECK (version >= 1),
  created_ms INTEGER NOT NULL,
  thresholds TEXT NOT NULL CHECK (json_valid(thresholds)),
  PRIMARY KEY (person, version)
) STRICT, WITHOUT ROWID;
INSERT INTO "enrolment" VALUES('ada',1,1767225600000,'{"formula":"depth-gate-1","noseRelief":20,"planeResidual":6,"sheetResidual":2.5,"centreToRim":9,"validFraction":0.6,"nearest":150,"farthest":900,"revision":0}');
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
INSERT INTO "finding" VALUES('chk_old',0,'depth-gate','not-assessed',NULL,NULL,NULL,'no-depth');
INSERT INTO "finding" VALUES('chk_old',1,'head-turn','suspect',-27.5,0.0,'head-turn-1','wrong-direction');
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO "grdb_migrations" VALUES('1-checks');
INSERT INTO "grdb_migrations" VALUES('2-dialects');
INSERT INTO "grdb_migrations" VALUES('3-lockout');
INSERT INTO "grdb_migrations" VALUES('4-tasks');
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
, device TEXT CHECK (length(device) BETWEEN 1 AND 64), tasks TEXT CHECK (tasks IS NULL OR json_valid(tasks))) STRICT, WITHOUT ROWID;
INSERT INTO "liveness_check" VALUES('chk_old',X'0202020202020202020202020202020202020202020202020202020202020202',1767225600000,1767225780000,'subject-left','ada',1,'order 1',0,'phone-1',NULL);
INSERT INTO "liveness_check" VALUES('chk_open',X'0303030303030303030303030303030303030303030303030303030303030303',1767225600000,1767225780000,'subject-right',NULL,0,NULL,1,NULL,'{"seed":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32],"wishes":[{"kind":"blink"}]}');
CREATE TABLE lockout (
            kind TEXT NOT NULL CHECK (kind IN ('person', 'device')),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            failures TEXT NOT NULL CHECK (json_valid(failures)),
            locked_until_ms INTEGER,
            expires_ms INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
          ) STRICT, WITHOUT ROWID;
INSERT INTO "lockout" VALUES('person','ada','[]',1767227410000,1767227410000);
CREATE TABLE picture (
            check_id TEXT NOT NULL REFERENCES verdict (check_id) ON DELETE CASCADE,
            ordinal INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 4),
            kind TEXT NOT NULL CHECK (kind IN ('reference', 'audit')),
            bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 204800),
            box_x REAL NOT NULL,
            box_y REAL NOT NULL,
            box_width REAL NOT NULL CHECK (box_width > 0),
            box_height REAL NOT NULL CHECK (box_height > 0),
            PRIMARY KEY (check_id, ordinal)
          ) STRICT;
INSERT INTO "picture" VALUES('chk_old',0,'reference',X'FFD8FFD9',0.25,0.125,0.5,0.75);
INSERT INTO "picture" VALUES('chk_old',1,'audit',X'FFD8FFD9',0.25,0.125,0.5,0.75);
CREATE TABLE sealed_secret (
            kind TEXT NOT NULL CHECK (kind IN ('aws-access-key', 'signing-key')),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 29 AND 4096),
            created_ms INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
          ) STRICT, WITHOUT ROWID;
INSERT INTO "sealed_secret" VALUES('aws-access-key','MIENEXAMPLEEXAMPLE77',X'0707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707070707',1767225600000);
INSERT INTO "sealed_secret" VALUES('signing-key','es256',X'080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808080808',1767225600000);
CREATE TABLE verdict (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
  decided_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed', 'timed-out')),
  reason TEXT CHECK ((outcome = 'passed') = (reason IS NULL)),
  source TEXT NOT NULL CHECK (source IN ('observed', 'claimed', 'none')),
  frames INTEGER NOT NULL CHECK (frames >= 0),
  way_out TEXT NOT NULL CHECK (json_valid(way_out)),
  way_back TEXT NOT NULL CHECK (json_valid(way_back))
, received_count INTEGER CHECK (received_count >= 0), received_chain BLOB
            CHECK ((received_count IS NULL) = (received_chain IS NULL))
            CHECK (length(received_chain) = 32), settings TEXT CHECK (length(settings) BETWEEN 1 AND 256)) STRICT, WITHOUT ROWID;
INSERT INTO "verdict" VALUES('chk_old',1767225610000,'failed','wrong-direction','observed',17,'[1,12.5]','[]',19,X'0505050505050505050505050505050505050505050505050505050505050505','head-turn-1 depth-gate-1');
CREATE INDEX liveness_check_open ON liveness_check (expires_ms) WHERE open = 1;
CREATE INDEX verdict_decided ON verdict (decided_ms);
CREATE UNIQUE INDEX dialect_session_request ON dialect_session (dialect, owner, request_token)
            WHERE request_token IS NOT NULL;
CREATE INDEX liveness_check_person ON liveness_check (person) WHERE person IS NOT NULL;
CREATE INDEX lockout_expires ON lockout (expires_ms);
COMMIT;
