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
    migrator.registerMigration("2-dialects") { db in
      try db.execute(
        sql: """
          ALTER TABLE verdict ADD COLUMN received_count INTEGER CHECK (received_count >= 0);
          ALTER TABLE verdict ADD COLUMN received_chain BLOB
            CHECK ((received_count IS NULL) = (received_chain IS NULL))
            CHECK (length(received_chain) = 32);
          ALTER TABLE verdict ADD COLUMN settings TEXT CHECK (length(settings) BETWEEN 1 AND 256);
          CREATE INDEX verdict_decided ON verdict (decided_ms);

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

          CREATE TABLE dialect_session (
            check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
            dialect TEXT NOT NULL CHECK (dialect IN ('aws')),
            owner TEXT NOT NULL CHECK (length(owner) BETWEEN 1 AND 128),
            request_token TEXT CHECK (length(request_token) BETWEEN 1 AND 64),
            parameters BLOB NOT NULL CHECK (length(parameters) = 32),
            audit_pictures INTEGER NOT NULL CHECK (audit_pictures BETWEEN 0 AND 4)
          ) STRICT, WITHOUT ROWID;
          CREATE UNIQUE INDEX dialect_session_request ON dialect_session (dialect, owner, request_token)
            WHERE request_token IS NOT NULL;

          CREATE TABLE sealed_secret (
            kind TEXT NOT NULL CHECK (kind IN ('aws-access-key', 'signing-key')),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 29 AND 4096),
            created_ms INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("3-lockout") { db in
      try db.execute(
        sql: """
          ALTER TABLE liveness_check ADD COLUMN device TEXT CHECK (length(device) BETWEEN 1 AND 64);
          CREATE INDEX liveness_check_person ON liveness_check (person) WHERE person IS NOT NULL;

          CREATE TABLE lockout (
            kind TEXT NOT NULL CHECK (kind IN ('person', 'device')),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            failures TEXT NOT NULL CHECK (json_valid(failures)),
            locked_until_ms INTEGER,
            expires_ms INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX lockout_expires ON lockout (expires_ms);
          """)
    }
    migrator.registerMigration("4-tasks") { db in
      try db.execute(sql: "ALTER TABLE liveness_check ADD COLUMN tasks TEXT CHECK (tasks IS NULL OR json_valid(tasks))")
    }
    migrator.registerMigration("5-webhooks") { db in
      try db.execute(
        sql: """
          CREATE TABLE webhook_endpoint (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
            url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
            events TEXT NOT NULL CHECK (json_valid(events)),
            secret BLOB NOT NULL CHECK (length(secret) BETWEEN 29 AND 4096),
            previous_secret BLOB CHECK (length(previous_secret) BETWEEN 29 AND 4096),
            previous_until_ms INTEGER CHECK ((previous_secret IS NULL) = (previous_until_ms IS NULL)),
            signing_key BLOB NOT NULL CHECK (length(signing_key) BETWEEN 29 AND 4096),
            public_key BLOB NOT NULL CHECK (length(public_key) = 32),
            created_ms INTEGER NOT NULL,
            disabled_ms INTEGER
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE webhook_message (
            id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
            endpoint TEXT NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
            check_id TEXT REFERENCES liveness_check (id) ON DELETE CASCADE,
            event TEXT NOT NULL CHECK (event IN ('check.passed', 'check.failed', 'check.timed-out', 'webhook.ping')),
            created_ms INTEGER NOT NULL,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            next_ms INTEGER NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'given-up')),
            answer TEXT CHECK (length(answer) BETWEEN 1 AND 32),
            body BLOB CHECK (length(body) BETWEEN 1 AND 1048576),
            CHECK ((check_id IS NULL) = (event = 'webhook.ping')),
            CHECK (body IS NULL OR state IN ('pending', 'sending'))
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX webhook_message_due ON webhook_message (endpoint, next_ms)
            WHERE state IN ('pending', 'sending');
          CREATE INDEX webhook_message_sending ON webhook_message (endpoint, next_ms) WHERE state = 'sending';
          CREATE INDEX webhook_message_over ON webhook_message (next_ms) WHERE state IN ('delivered', 'given-up');
          CREATE INDEX webhook_message_newest ON webhook_message (endpoint, created_ms);
          CREATE INDEX webhook_message_check ON webhook_message (check_id) WHERE check_id IS NOT NULL;
          """)
    }
    migrator.registerMigration("6-sessions") { db in
      try db.execute(
        sql: """
          ALTER TABLE liveness_check ADD COLUMN attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts BETWEEN 1 AND 5);
          ALTER TABLE liveness_check ADD COLUMN audit_pictures INTEGER CHECK (audit_pictures BETWEEN 0 AND 4);
          ALTER TABLE liveness_check ADD COLUMN keeps_clip INTEGER NOT NULL DEFAULT 0 CHECK (keeps_clip IN (0, 1));
          ALTER TABLE verdict ADD COLUMN earlier TEXT CHECK (earlier IS NULL OR json_valid(earlier));
          ALTER TABLE verdict ADD COLUMN side TEXT CHECK (side IS NULL OR side IN ('subject-left', 'subject-right'));

          CREATE TABLE clip (
            check_id TEXT NOT NULL PRIMARY KEY REFERENCES verdict (check_id) ON DELETE CASCADE,
            state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
            bytes BLOB CHECK ((state = 'ready') = (bytes IS NOT NULL))
          ) STRICT;
          CREATE INDEX clip_pending ON clip (check_id) WHERE state = 'pending';
          """)
    }
    migrator.registerMigration("7-messages") { db in try db.execute(sql: messages) }
    migrator.registerMigration("8-message-passive") { db in
      try db.execute(
        sql: """
          ALTER TABLE message ADD COLUMN needs_passive INTEGER NOT NULL DEFAULT 0
            CHECK (needs_passive IN (0, 1) AND needs_passive <= needs_frames);
          """)
    }
    migrator.registerMigration("9-captures") { db in try db.execute(sql: CaptureSchema.captures) }
    migrator.registerMigration("10-bursts") { db in try db.execute(sql: CaptureSchema.bursts) }
    migrator.registerMigration("11-scans") { db in try db.execute(sql: ScanSchema.scans) }
    migrator.registerMigration("12-guard") { db in try db.execute(sql: GuardSchema.guarding) }
    migrator.registerMigration("13-attestation") { db in try db.execute(sql: CaptureSchema.attestation) }
    migrator.registerMigration("14-accounts") { db in try db.execute(sql: AccountSchema.accounts) }
    migrator.registerMigration("15-snapshots") { db in try db.execute(sql: SnapshotSchema.snapshots) }
    migrator.registerMigration("16-sealed") { db in try db.execute(sql: SealedSchema.sealed) }
    migrator.registerMigration("17-tries") { db in try db.execute(sql: AccountSchema.tries) }
    migrator.registerMigration("18-performances") { db in try db.execute(sql: PerformanceSchema.performances) }
    migrator.registerMigration("19-sources") { db in try db.execute(sql: SourceSchema.sources) }
    migrator.registerMigration("20-owners") { db in try db.execute(sql: ErasureSchema.owners) }
    migrator.registerMigration("21-message-kdf") { db in try db.execute(sql: MessageSchema.kdf) }
    return migrator
  }

  /// Messages under their locks. Neither text nor sequence stands here in clear, and both go when a lock has come to its end.
  private static let messages = """
    CREATE TABLE message (
      id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 19),
      receipt_digest BLOB NOT NULL CHECK (length(receipt_digest) = 32),
      created_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
      mode TEXT NOT NULL CHECK (mode IN ('open', 'secret')),
      avatar TEXT NOT NULL CHECK (length(avatar) BETWEEN 1 AND 64),
      steps INTEGER NOT NULL CHECK (steps BETWEEN 3 AND 12),
      needs_frames INTEGER NOT NULL CHECK (needs_frames IN (0, 1)),
      attempt_limit INTEGER NOT NULL CHECK (attempt_limit BETWEEN 1 AND 100),
      first_wait_ms INTEGER CHECK (first_wait_ms BETWEEN 10000 AND 86400000),
      view_limit INTEGER CHECK (view_limit BETWEEN 1 AND 100),
      attempts INTEGER NOT NULL CHECK (attempts >= 0),
      views INTEGER NOT NULL CHECK (views >= 0),
      locked_until_ms INTEGER,
      ended TEXT CHECK (ended IN ('read', 'expired', 'deleted')),
      own_key BLOB CHECK (length(own_key) = 32),
      box BLOB CHECK (length(box) BETWEEN 92 AND 8192),
      hint BLOB CHECK (length(hint) BETWEEN 29 AND 256),
      CHECK (first_wait_ms IS NOT NULL OR attempts <= attempt_limit),
      CHECK (view_limit IS NULL OR views <= view_limit),
      CHECK ((ended IS NULL) = (box IS NOT NULL)),
      CHECK ((own_key IS NULL) = (box IS NULL)),
      CHECK ((hint IS NOT NULL) = (mode = 'open' AND ended IS NULL))
    ) STRICT;
    CREATE INDEX message_due ON message (expires_ms) WHERE ended IS NULL;
    CREATE INDEX message_over ON message (expires_ms) WHERE ended IS NOT NULL;
    """
}
