-- A schema in PostgreSQL as version 1 left it, without rows. Never edit; another version gets a file of its own.
CREATE SCHEMA mien;
CREATE TABLE mien.migration (version bigint PRIMARY KEY);
INSERT INTO mien.migration VALUES (1);

CREATE TABLE mien.api_key (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  created_ms bigint NOT NULL
);

CREATE TABLE mien.liveness_check (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  token_digest bytea NOT NULL CHECK (octet_length(token_digest) = 32),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL CHECK (expires_ms > created_ms),
  side text NOT NULL CHECK (side IN ('subject-left', 'subject-right')),
  person text CHECK (length(person) BETWEEN 1 AND 64),
  expects_depth bigint NOT NULL CHECK (expects_depth IN (0, 1)),
  reference bytea CHECK (octet_length(reference) <= 512),
  open bigint NOT NULL DEFAULT 1 CHECK (open IN (0, 1)),
  device text CHECK (length(device) BETWEEN 1 AND 64),
  tasks json,
  attempts bigint NOT NULL DEFAULT 1 CHECK (attempts BETWEEN 1 AND 5),
  audit_pictures bigint CHECK (audit_pictures BETWEEN 0 AND 4),
  keeps_clip bigint NOT NULL DEFAULT 0 CHECK (keeps_clip IN (0, 1))
);
CREATE INDEX liveness_check_open ON mien.liveness_check (expires_ms) WHERE open = 1;
CREATE INDEX liveness_check_person ON mien.liveness_check (person) WHERE person IS NOT NULL;

CREATE TABLE mien.verdict (
  check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  decided_ms bigint NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('passed', 'failed', 'timed-out')),
  reason text CHECK ((outcome = 'passed') = (reason IS NULL)),
  source text NOT NULL CHECK (source IN ('observed', 'claimed', 'none')),
  frames bigint NOT NULL CHECK (frames >= 0),
  way_out json NOT NULL,
  way_back json NOT NULL,
  received_count bigint CHECK (received_count >= 0),
  received_chain bytea CHECK ((received_count IS NULL) = (received_chain IS NULL))
    CHECK (octet_length(received_chain) = 32),
  settings text CHECK (length(settings) BETWEEN 1 AND 256),
  earlier json,
  side text CHECK (side IN ('subject-left', 'subject-right'))
);
CREATE INDEX verdict_decided ON mien.verdict (decided_ms);

CREATE TABLE mien.finding (
  check_id text NOT NULL REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  ordinal bigint NOT NULL,
  name text NOT NULL,
  result text NOT NULL CHECK (result IN ('genuine', 'suspect', 'not-assessed')),
  native double precision CHECK (native <> 'NaN'),
  score double precision CHECK (score BETWEEN 0 AND 1),
  calibration text,
  reason text,
  PRIMARY KEY (check_id, ordinal),
  CHECK ((result = 'not-assessed') = (native IS NULL)),
  CHECK ((native IS NULL) = (score IS NULL) AND (native IS NULL) = (calibration IS NULL)),
  CHECK ((result = 'genuine') = (reason IS NULL))
);

CREATE TABLE mien.enrolment (
  person text NOT NULL CHECK (length(person) BETWEEN 1 AND 64),
  version bigint NOT NULL CHECK (version >= 1),
  created_ms bigint NOT NULL,
  thresholds json NOT NULL,
  PRIMARY KEY (person, version)
);

CREATE TABLE mien.picture (
  check_id text NOT NULL REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  ordinal bigint NOT NULL CHECK (ordinal BETWEEN 0 AND 4),
  kind text NOT NULL CHECK (kind IN ('reference', 'audit')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 204800),
  box_x double precision NOT NULL,
  box_y double precision NOT NULL,
  box_width double precision NOT NULL CHECK (box_width > 0),
  box_height double precision NOT NULL CHECK (box_height > 0),
  PRIMARY KEY (check_id, ordinal)
);
-- Pictures do not shrink any more: trying to costs time.
ALTER TABLE mien.picture ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE mien.dialect_session (
  check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  dialect text NOT NULL CHECK (dialect IN ('aws')),
  owner text NOT NULL CHECK (length(owner) BETWEEN 1 AND 128),
  request_token text CHECK (length(request_token) BETWEEN 1 AND 64),
  parameters bytea NOT NULL CHECK (octet_length(parameters) = 32),
  audit_pictures bigint NOT NULL CHECK (audit_pictures BETWEEN 0 AND 4)
);
CREATE UNIQUE INDEX dialect_session_request ON mien.dialect_session (dialect, owner, request_token)
  WHERE request_token IS NOT NULL;

CREATE TABLE mien.sealed_secret (
  kind text NOT NULL CHECK (kind IN ('aws-access-key', 'signing-key')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 29 AND 4096),
  created_ms bigint NOT NULL,
  PRIMARY KEY (kind, name)
);

CREATE TABLE mien.lockout (
  kind text NOT NULL CHECK (kind IN ('person', 'device')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  failures json NOT NULL,
  locked_until_ms bigint,
  expires_ms bigint NOT NULL,
  PRIMARY KEY (kind, name)
);
CREATE INDEX lockout_expires ON mien.lockout (expires_ms);

CREATE TABLE mien.webhook_endpoint (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events json NOT NULL,
  secret bytea NOT NULL CHECK (octet_length(secret) BETWEEN 29 AND 4096),
  previous_secret bytea CHECK (octet_length(previous_secret) BETWEEN 29 AND 4096),
  previous_until_ms bigint CHECK ((previous_secret IS NULL) = (previous_until_ms IS NULL)),
  signing_key bytea NOT NULL CHECK (octet_length(signing_key) BETWEEN 29 AND 4096),
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 32),
  created_ms bigint NOT NULL,
  disabled_ms bigint
);

CREATE TABLE mien.webhook_message (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  endpoint text NOT NULL REFERENCES mien.webhook_endpoint (id) ON DELETE CASCADE,
  check_id text REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  event text NOT NULL CHECK (event IN ('check.passed', 'check.failed', 'check.timed-out', 'webhook.ping')),
  created_ms bigint NOT NULL,
  attempts bigint NOT NULL CHECK (attempts >= 0),
  next_ms bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'given-up')),
  answer text CHECK (length(answer) BETWEEN 1 AND 32),
  body bytea CHECK (octet_length(body) BETWEEN 1 AND 1048576),
  CHECK ((check_id IS NULL) = (event = 'webhook.ping')),
  CHECK (body IS NULL OR state IN ('pending', 'sending'))
);
CREATE INDEX webhook_message_due ON mien.webhook_message (endpoint, next_ms)
  WHERE state IN ('pending', 'sending');
CREATE INDEX webhook_message_sending ON mien.webhook_message (endpoint, next_ms) WHERE state = 'sending';
CREATE INDEX webhook_message_over ON mien.webhook_message (next_ms) WHERE state IN ('delivered', 'given-up');
CREATE INDEX webhook_message_newest ON mien.webhook_message (endpoint, created_ms);
CREATE INDEX webhook_message_check ON mien.webhook_message (check_id) WHERE check_id IS NOT NULL;

CREATE TABLE mien.clip (
  check_id text PRIMARY KEY REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
  bytes bytea CHECK ((state = 'ready') = (bytes IS NOT NULL))
);
ALTER TABLE mien.clip ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX clip_pending ON mien.clip (check_id) WHERE state = 'pending';

CREATE TABLE mien.message (
  id text PRIMARY KEY CHECK (length(id) = 19),
  receipt_digest bytea NOT NULL CHECK (octet_length(receipt_digest) = 32),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL CHECK (expires_ms > created_ms),
  mode text NOT NULL CHECK (mode IN ('open', 'secret')),
  avatar text NOT NULL CHECK (length(avatar) BETWEEN 1 AND 64),
  steps bigint NOT NULL CHECK (steps BETWEEN 3 AND 12),
  needs_frames bigint NOT NULL CHECK (needs_frames IN (0, 1)),
  attempt_limit bigint NOT NULL CHECK (attempt_limit BETWEEN 1 AND 100),
  first_wait_ms bigint CHECK (first_wait_ms BETWEEN 10000 AND 86400000),
  view_limit bigint CHECK (view_limit BETWEEN 1 AND 100),
  attempts bigint NOT NULL CHECK (attempts >= 0),
  views bigint NOT NULL CHECK (views >= 0),
  locked_until_ms bigint,
  ended text CHECK (ended IN ('read', 'expired', 'deleted')),
  own_key bytea CHECK (octet_length(own_key) = 32),
  box bytea CHECK (octet_length(box) BETWEEN 92 AND 8192),
  hint bytea CHECK (octet_length(hint) BETWEEN 29 AND 256),
  needs_passive bigint NOT NULL DEFAULT 0
    CHECK (needs_passive IN (0, 1) AND needs_passive <= needs_frames),
  CHECK (first_wait_ms IS NOT NULL OR attempts <= attempt_limit),
  CHECK (view_limit IS NULL OR views <= view_limit),
  CHECK ((ended IS NULL) = (box IS NOT NULL)),
  CHECK ((own_key IS NULL) = (box IS NULL)),
  CHECK ((hint IS NOT NULL) = (mode = 'open' AND ended IS NULL))
);
CREATE INDEX message_due ON mien.message (expires_ms) WHERE ended IS NULL;
CREATE INDEX message_over ON mien.message (expires_ms) WHERE ended IS NOT NULL;

CREATE TABLE mien.capture_device (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 65),
  counter bigint NOT NULL CHECK (counter >= 0),
  created_ms bigint NOT NULL
);

CREATE TABLE mien.capture (
  id text PRIMARY KEY CHECK (length(id) = 36),
  receipt_digest bytea NOT NULL CHECK (octet_length(receipt_digest) = 32),
  received_ms bigint NOT NULL,
  photo_digest bytea NOT NULL CHECK (octet_length(photo_digest) = 32),
  photo_size bigint CHECK (photo_size >= 0),
  photo_blob text UNIQUE CHECK (length(photo_blob) BETWEEN 1 AND 64),
  photo_type text CHECK (photo_type IN ('image/jpeg', 'image/png')),
  depth_digest bytea CHECK (octet_length(depth_digest) = 32),
  depth_size bigint CHECK (depth_size >= 0),
  depth_blob text UNIQUE CHECK (length(depth_blob) BETWEEN 1 AND 64),
  metadata bytea CHECK (octet_length(metadata) <= 65536),
  detection bytea CHECK (octet_length(detection) <= 262144),
  claims json NOT NULL,
  signature json,
  same_photo bigint NOT NULL CHECK (same_photo >= 0),
  counter_before bigint CHECK (counter_before >= 0),
  state text NOT NULL CHECK (state IN ('queued', 'analysed', 'hash-only')),
  results json,
  -- The order of coming, where the clock does not tell: the embedded store's is in its row numbers.
  arrival bigint GENERATED ALWAYS AS IDENTITY,
  CHECK ((state = 'hash-only') = (photo_blob IS NULL)),
  CHECK ((photo_blob IS NULL) = (photo_size IS NULL) AND (photo_blob IS NULL) = (photo_type IS NULL)),
  CHECK ((depth_blob IS NULL) = (depth_size IS NULL) AND (depth_blob IS NULL OR depth_digest IS NOT NULL)),
  CHECK ((state = 'analysed') = (results IS NOT NULL))
);
CREATE INDEX capture_photo ON mien.capture (photo_digest, received_ms);
CREATE INDEX capture_queued ON mien.capture (received_ms) WHERE state = 'queued';

CREATE TABLE mien.capture_drawing (
  capture_id text NOT NULL REFERENCES mien.capture (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 4194304),
  PRIMARY KEY (capture_id, kind)
);
ALTER TABLE mien.capture_drawing ALTER COLUMN bytes SET STORAGE EXTERNAL;
