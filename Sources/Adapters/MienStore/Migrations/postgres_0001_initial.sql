-- Names of tables are written with `mien.`, which stands for the schema of the realm. Tables and columns are the same as
-- in SQLite; numbers are bigint, and flags are 0 or 1. A check's reference is bytes, because it may contain any character
-- and text does not allow the zero character.

-- API keys and accounts

CREATE TABLE mien.api_key (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  created_ms bigint NOT NULL,
  name text CHECK (length(name) BETWEEN 1 AND 64),
  scopes text CHECK (length(scopes) BETWEEN 1 AND 256),
  expires_ms bigint,
  revoked_ms bigint,
  last_used_ms bigint
);

CREATE TABLE mien.account (
  name text COLLATE "C" PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  role text NOT NULL CHECK (role IN ('operator', 'verifier')),
  password text NOT NULL CHECK (length(password) BETWEEN 1 AND 256),
  created_ms bigint NOT NULL,
  changed_ms bigint NOT NULL
);

CREATE TABLE mien.account_session (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  account text NOT NULL REFERENCES mien.account (name) ON DELETE CASCADE,
  created_ms bigint NOT NULL,
  seen_ms bigint NOT NULL,
  expires_ms bigint NOT NULL CHECK (expires_ms > created_ms)
);
CREATE INDEX account_session_of ON mien.account_session (account);

-- Sign-in attempts: the time at which a name or an address has its full allowance again. The digest does not reveal the
-- name or address. There are few rows and every attempt updates the time, so the table has free space per page and no
-- index on the time, which allows in-place (HOT) updates.
CREATE TABLE mien.sign_in_try (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  full_ms bigint NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE mien.encrypted_secret (
  kind text NOT NULL CHECK (kind IN ('aws-access-key', 'signing-key', 'provenance-key')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  sealed bytea NOT NULL CHECK (octet_length(sealed) BETWEEN 29 AND 4096),
  created_ms bigint NOT NULL,
  PRIMARY KEY (kind, name)
);

CREATE TABLE mien.audit (
  number bigint PRIMARY KEY CHECK (number >= 1),
  at_ms bigint NOT NULL,
  actor text NOT NULL CHECK (length(actor) BETWEEN 1 AND 80),
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 32),
  subject text NOT NULL CHECK (length(subject) <= 160),
  link bytea NOT NULL CHECK (octet_length(link) = 32)
);
CREATE FUNCTION mien.audit_is_append_only() RETURNS trigger LANGUAGE plpgsql
  AS 'BEGIN RAISE EXCEPTION ''the audit log is append-only''; END';
CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON mien.audit
  FOR EACH ROW EXECUTE FUNCTION mien.audit_is_append_only();

-- Checks. `sources` is a sum of 1 (observed), 2 (claimed), 4 (depth), and 8 (compared).

CREATE TABLE mien.liveness_check (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  token_digest bytea NOT NULL CHECK (octet_length(token_digest) = 32),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL CHECK (expires_ms > created_ms),
  side text NOT NULL CHECK (side IN ('subject-left', 'subject-right')),
  person text CHECK (length(person) BETWEEN 1 AND 64),
  device text CHECK (length(device) BETWEEN 1 AND 64),
  expects_depth bigint NOT NULL CHECK (expects_depth IN (0, 1)),
  reference bytea CHECK (octet_length(reference) <= 512),
  tasks json,
  assurance text CHECK (assurance IN ('basic', 'standard', 'high')),
  bits_of_choice double precision NOT NULL DEFAULT 0 CHECK (bits_of_choice BETWEEN 0 AND 1000),
  attempts bigint CHECK (attempts BETWEEN 1 AND 5),
  audit_images bigint CHECK (audit_images BETWEEN 0 AND 4),
  keeps_clip bigint NOT NULL DEFAULT 0 CHECK (keeps_clip IN (0, 1)),
  sources bigint NOT NULL DEFAULT 1 CHECK (sources BETWEEN 1 AND 15),
  takes_scan bigint NOT NULL DEFAULT 0 CHECK (takes_scan IN (0, 1)),
  takes_captures bigint NOT NULL DEFAULT 0 CHECK (takes_captures IN (0, 1)),
  takes_tasks bigint NOT NULL DEFAULT 0 CHECK (takes_tasks IN (0, 1)),
  face_reference bytea CHECK (length(face_reference) BETWEEN 1 AND 1024),
  template_use text CHECK (template_use IN ('match', 'enroll')),
  return_url text CHECK (length(return_url) BETWEEN 1 AND 1024),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'passed', 'failed', 'timed-out'))
);
CREATE INDEX liveness_check_open ON mien.liveness_check (expires_ms) WHERE state = 'open';
CREATE INDEX liveness_check_state ON mien.liveness_check (state, created_ms, id);
CREATE INDEX liveness_check_newest ON mien.liveness_check (created_ms, id);
CREATE INDEX liveness_check_person ON mien.liveness_check (person, created_ms, id) WHERE person IS NOT NULL;
CREATE INDEX liveness_check_reference ON mien.liveness_check (reference, created_ms, id) WHERE reference IS NOT NULL;
CREATE INDEX liveness_check_device ON mien.liveness_check (device) WHERE device IS NOT NULL;

CREATE TABLE mien.verdict (
  check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  decided_ms bigint NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('passed', 'failed', 'timed-out')),
  reason text CHECK ((outcome = 'passed') = (reason IS NULL)),
  source text NOT NULL CHECK (source IN ('observed', 'claimed', 'none')),
  basis text NOT NULL DEFAULT 'none' CHECK (basis IN ('none', 'claimed', 'depth', 'frames')),
  frames bigint NOT NULL CHECK (frames >= 0),
  outbound_path json NOT NULL,
  return_path json NOT NULL,
  received_count bigint CHECK (received_count >= 0),
  received_chain bytea CHECK ((received_count IS NULL) = (received_chain IS NULL)) CHECK (octet_length(received_chain) = 32),
  settings text CHECK (length(settings) BETWEEN 1 AND 256),
  earlier json,
  side text CHECK (side IS NULL OR side IN ('subject-left', 'subject-right')),
  feedback json,
  findings json NOT NULL
);
CREATE INDEX verdict_decided ON mien.verdict (decided_ms);

-- Encrypted images are up to 64 bytes longer than the largest image.
CREATE TABLE mien.picture (
  check_id text NOT NULL REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  ordinal bigint NOT NULL CHECK (ordinal BETWEEN 0 AND 4),
  kind text NOT NULL CHECK (kind IN ('reference', 'audit')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 204864),
  box json NOT NULL,
  PRIMARY KEY (check_id, ordinal)
);
ALTER TABLE mien.picture ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE mien.clip (
  check_id text PRIMARY KEY REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
  bytes bytea CHECK ((state = 'ready') = (bytes IS NOT NULL))
);
ALTER TABLE mien.clip ALTER COLUMN bytes SET STORAGE EXTERNAL;
CREATE INDEX clip_pending ON mien.clip (check_id) WHERE state = 'pending';

CREATE TABLE mien.compatibility_session (
  check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  api text NOT NULL CHECK (api IN ('aws')),
  owner text NOT NULL CHECK (length(owner) BETWEEN 1 AND 128),
  request_token text CHECK (length(request_token) BETWEEN 1 AND 64),
  parameters bytea NOT NULL CHECK (octet_length(parameters) = 32),
  audit_images bigint NOT NULL CHECK (audit_images BETWEEN 0 AND 4)
);
CREATE UNIQUE INDEX compatibility_session_request ON mien.compatibility_session (api, owner, request_token)
  WHERE request_token IS NOT NULL;

CREATE TABLE mien.lockout (
  kind text NOT NULL CHECK (kind IN ('person', 'device')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  failures json NOT NULL,
  locked_until_ms bigint,
  expires_ms bigint NOT NULL,
  PRIMARY KEY (kind, name)
);
CREATE INDEX lockout_expires ON mien.lockout (expires_ms);

CREATE TABLE mien.enrollment (
  person text NOT NULL CHECK (length(person) BETWEEN 1 AND 64),
  version bigint NOT NULL CHECK (version >= 1),
  created_ms bigint NOT NULL,
  thresholds json NOT NULL,
  PRIMARY KEY (person, version)
);

-- Templates of checks that passed, from which their persons can be enrolled until they are deleted, a day after the verdict.

CREATE TABLE mien.check_template (
  check_id text PRIMARY KEY REFERENCES mien.verdict (check_id) ON DELETE CASCADE,
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 1024)
);

-- Templates of enrolled persons. A template outlives the check that it is from, so `check_id` has no foreign key; it is
-- NULL if an operator sent a picture.

CREATE TABLE mien.face_template (
  person text PRIMARY KEY CHECK (length(person) BETWEEN 1 AND 64),
  model text NOT NULL CHECK (length(model) BETWEEN 1 AND 64),
  created_ms bigint NOT NULL,
  check_id text CHECK (length(check_id) BETWEEN 1 AND 64),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 1024)
);

-- State of active checks and the servers that hold them. Unlogged: states are written several times per second and are
-- worthless after a few minutes. After a crash of the database they are lost; the checks continue on the servers that hold
-- them, or start over. External storage, here and below, because encrypted or compressed bytes do not get smaller.
CREATE UNLOGGED TABLE mien.live_snapshot (
  check_id text PRIMARY KEY REFERENCES mien.liveness_check (id) ON DELETE CASCADE,
  server text NOT NULL CHECK (length(server) <= 64),
  epoch bigint NOT NULL CHECK (epoch >= 1),
  renewed_ms bigint NOT NULL,
  state bytea CHECK (octet_length(state) BETWEEN 29 AND 1048576),
  state_ms bigint CHECK ((state_ms IS NULL) = (state IS NULL))
) WITH (fillfactor = 50);
ALTER TABLE mien.live_snapshot ALTER COLUMN state SET STORAGE EXTERNAL;

-- Webhooks. `events` is a list of event names separated by spaces.

CREATE TABLE mien.webhook_endpoint (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  url text NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events text NOT NULL,
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
  state text NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
  answer text CHECK (length(answer) BETWEEN 1 AND 32),
  body bytea CHECK (octet_length(body) BETWEEN 1 AND 1048576),
  CHECK ((check_id IS NULL) = (event = 'webhook.ping')),
  CHECK (body IS NULL OR state IN ('pending', 'sending'))
);
CREATE INDEX webhook_message_due ON mien.webhook_message (endpoint, next_ms) WHERE state IN ('pending', 'sending');
CREATE INDEX webhook_message_sending ON mien.webhook_message (endpoint, next_ms) WHERE state = 'sending';
CREATE INDEX webhook_message_over ON mien.webhook_message (next_ms) WHERE state IN ('delivered', 'failed');
CREATE INDEX webhook_message_newest ON mien.webhook_message (endpoint, created_ms);
CREATE INDEX webhook_message_check ON mien.webhook_message (check_id) WHERE check_id IS NOT NULL;

-- Locked messages. Neither the text nor the sequence is stored in plaintext; the ciphertext is deleted when the lock ends.
-- `kdf` holds the parameters of the key derivation.

CREATE TABLE mien.message (
  id text PRIMARY KEY CHECK (length(id) = 19),
  receipt_digest bytea NOT NULL CHECK (octet_length(receipt_digest) = 32),
  created_ms bigint NOT NULL,
  expires_ms bigint NOT NULL CHECK (expires_ms > created_ms),
  mode text NOT NULL CHECK (mode IN ('open', 'secret')),
  avatar text NOT NULL CHECK (length(avatar) BETWEEN 1 AND 64),
  steps bigint NOT NULL CHECK (steps BETWEEN 3 AND 12),
  needs_frames bigint NOT NULL CHECK (needs_frames IN (0, 1)),
  needs_passive bigint NOT NULL DEFAULT 0 CHECK (needs_passive IN (0, 1) AND needs_passive <= needs_frames),
  link_digest bytea CHECK (octet_length(link_digest) = 32),
  attempt_limit bigint NOT NULL CHECK (attempt_limit BETWEEN 1 AND 100),
  first_wait_ms bigint NOT NULL CHECK (first_wait_ms BETWEEN 10000 AND 86400000),
  view_limit bigint CHECK (view_limit BETWEEN 1 AND 100),
  attempts bigint NOT NULL CHECK (attempts >= 0),
  views bigint NOT NULL CHECK (views >= 0),
  locked_until_ms bigint,
  ended text CHECK (ended IN ('read', 'expired', 'deleted')),
  own_key bytea CHECK (octet_length(own_key) = 32),
  box bytea CHECK (octet_length(box) BETWEEN 92 AND 8192),
  hint bytea CHECK (octet_length(hint) BETWEEN 29 AND 256),
  kdf text CHECK (length(kdf) BETWEEN 1 AND 64),
  CHECK (view_limit IS NULL OR views <= view_limit),
  CHECK ((ended IS NULL) = (box IS NOT NULL)),
  CHECK ((own_key IS NULL) = (box IS NULL)),
  CHECK ((hint IS NOT NULL) = (mode = 'open' AND ended IS NULL)),
  CHECK ((kdf IS NULL) = (box IS NULL))
);
CREATE INDEX message_newest ON mien.message (created_ms, id);
CREATE INDEX message_due ON mien.message (expires_ms) WHERE ended IS NULL;
CREATE INDEX message_over ON mien.message (expires_ms) WHERE ended IS NOT NULL;

-- Waits of addresses at messages after wrong attempts. The digest reveals neither the address nor the message.

CREATE TABLE mien.message_wait (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  attempts bigint NOT NULL CHECK (attempts >= 1),
  until_ms bigint NOT NULL
);
CREATE INDEX message_wait_until ON mien.message_wait (until_ms);

CREATE UNLOGGED TABLE mien.live_performance (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  expires_ms bigint NOT NULL,
  server text NOT NULL CHECK (length(server) <= 64),
  epoch bigint NOT NULL CHECK (epoch >= 1),
  renewed_ms bigint NOT NULL,
  closed bigint NOT NULL CHECK (closed IN (0, 1)),
  revision bigint NOT NULL CHECK (revision >= 0),
  state bytea NOT NULL CHECK (octet_length(state) BETWEEN 29 AND 1048576),
  state_ms bigint NOT NULL
) WITH (fillfactor = 50);
ALTER TABLE mien.live_performance ALTER COLUMN state SET STORAGE EXTERNAL;
CREATE INDEX live_performance_expires ON mien.live_performance (expires_ms);

-- Captures and the devices that sign them. A capture outlives the registration of its device, so it refers to the device
-- without a foreign key. It has no foreign key to its check, because its files must be deleted first. `worker` is the
-- server that analyzes it. `owner` is empty without an API key.

CREATE TABLE mien.capture_device (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  public_key bytea NOT NULL CHECK (octet_length(public_key) = 65),
  counter bigint NOT NULL CHECK (counter >= 0),
  created_ms bigint NOT NULL,
  attested_id bytea CHECK (octet_length(attested_id) = 32),
  attested_key bytea CHECK (octet_length(attested_key) = 65) CHECK ((attested_key IS NULL) = (attested_id IS NULL)),
  attested_counter bigint CHECK (attested_counter BETWEEN 0 AND 4294967295)
    CHECK ((attested_counter IS NULL) = (attested_id IS NULL)),
  attested_environment text CHECK (attested_environment IN ('production', 'development'))
    CHECK ((attested_environment IS NULL) = (attested_id IS NULL)),
  attested_ms bigint CHECK ((attested_ms IS NULL) = (attested_id IS NULL))
);

CREATE TABLE mien.device_challenge (
  digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  expires_ms bigint NOT NULL
);
CREATE INDEX device_challenge_expires ON mien.device_challenge (expires_ms);

CREATE TABLE mien.capture (
  id text PRIMARY KEY CHECK (length(id) = 36),
  owner bytea NOT NULL DEFAULT '' CHECK (octet_length(owner) IN (0, 32)),
  check_id text CHECK (length(check_id) BETWEEN 1 AND 64),
  bytes bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  receipt_digest bytea NOT NULL CHECK (octet_length(receipt_digest) = 32),
  received_ms bigint NOT NULL,
  photo_digest bytea NOT NULL CHECK (octet_length(photo_digest) = 32),
  photo_size bigint CHECK (photo_size >= 0),
  photo_blob text UNIQUE CHECK (length(photo_blob) BETWEEN 1 AND 64),
  photo_type text CHECK (
    photo_type IN ('image/jpeg', 'image/png', 'image/heic', 'image/avif', 'image/webp')
  ),
  depth_digest bytea CHECK (octet_length(depth_digest) = 32),
  depth_size bigint CHECK (depth_size >= 0),
  depth_blob text UNIQUE CHECK (length(depth_blob) BETWEEN 1 AND 64),
  motion json,
  motion_blob text UNIQUE CHECK (length(motion_blob) BETWEEN 1 AND 64),
  metadata bytea CHECK (octet_length(metadata) <= 65600),
  detection bytea CHECK (octet_length(detection) <= 262208),
  claims json NOT NULL,
  signature json,
  same_photo bigint NOT NULL CHECK (same_photo >= 0),
  counter_before bigint CHECK (counter_before >= 0),
  assertion_before bigint CHECK (assertion_before BETWEEN 0 AND 4294967295),
  state text NOT NULL CHECK (state IN ('queued', 'analyzed', 'hash-only')),
  results json,
  provenance json,
  reception json,
  worker text,
  -- Order of arrival of records with the same timestamp; SQLite uses its row numbers.
  arrival bigint GENERATED ALWAYS AS IDENTITY,
  CHECK ((state = 'hash-only') = (photo_blob IS NULL)),
  CHECK ((photo_blob IS NULL) = (photo_size IS NULL) AND (photo_blob IS NULL) = (photo_type IS NULL)),
  CHECK ((depth_blob IS NULL) = (depth_size IS NULL) AND (depth_blob IS NULL OR depth_digest IS NOT NULL)),
  CHECK (motion_blob IS NULL OR (motion IS NOT NULL AND photo_blob IS NOT NULL)),
  CHECK ((state = 'analyzed') = (results IS NOT NULL)),
  CHECK ((provenance IS NULL AND reception IS NULL) OR results IS NOT NULL)
);
CREATE INDEX capture_photo ON mien.capture (photo_digest, received_ms);
CREATE INDEX capture_state ON mien.capture (state, received_ms, id);
CREATE INDEX capture_received ON mien.capture (received_ms, id);
CREATE INDEX capture_check ON mien.capture (check_id, received_ms, id) WHERE check_id IS NOT NULL;
CREATE INDEX capture_owner ON mien.capture (owner);

CREATE TABLE mien.capture_visualization (
  capture_id text NOT NULL REFERENCES mien.capture (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
  bytes bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 4194368),
  PRIMARY KEY (capture_id, kind)
);
ALTER TABLE mien.capture_visualization ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- Depth scans, without a foreign key to their check for the same reason. The `worker` of a scan is the server that
-- processes it, and that of a file is the writer that may add to it.

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
  check_id text CHECK (length(check_id) BETWEEN 1 AND 64),
  subject text REFERENCES mien.scan_subject (id) ON DELETE CASCADE,
  label text CHECK (length(label) BETWEEN 1 AND 200),
  kind text NOT NULL CHECK (kind IN ('face', 'object', 'room')),
  photos_expected bigint NOT NULL CHECK (photos_expected BETWEEN 0 AND 1000),
  voxel_um bigint CHECK (voxel_um BETWEEN 500 AND 100000),
  nearest_mm bigint CHECK (nearest_mm BETWEEN 0 AND 65535),
  farthest_mm bigint CHECK (farthest_mm BETWEEN 0 AND 65535),
  created_ms bigint NOT NULL,
  changed_ms bigint NOT NULL,
  owner bytea NOT NULL DEFAULT '' CHECK (octet_length(owner) IN (0, 32)),
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
  -- Order of arrival of records with the same timestamp; SQLite uses its row numbers.
  arrival bigint GENERATED ALWAYS AS IDENTITY,
  CHECK ((nearest_mm IS NULL) = (farthest_mm IS NULL)),
  CHECK (nearest_mm < farthest_mm),
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
CREATE INDEX scan_unfinished ON mien.scan (changed_ms) WHERE status IN ('failed', 'cancelled');
CREATE UNIQUE INDEX scan_request ON mien.scan (owner, request) WHERE request IS NOT NULL;
CREATE INDEX scan_content ON mien.scan (content) WHERE content IS NOT NULL;
CREATE INDEX scan_check ON mien.scan (check_id) WHERE check_id IS NOT NULL;
CREATE INDEX scan_owner ON mien.scan (owner);

CREATE TABLE mien.scan_file (
  scan_id text NOT NULL REFERENCES mien.scan (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('sent', 'result')),
  name text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  type text NOT NULL CHECK (length(type) BETWEEN 1 AND 100),
  bytes bigint NOT NULL CHECK (bytes >= 0),
  received bigint NOT NULL CHECK (received BETWEEN 0 AND bytes),
  upload text UNIQUE CHECK (length(upload) BETWEEN 1 AND 64),
  blob text UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
  digest bytea CHECK (octet_length(digest) = 32),
  worker text CHECK (length(worker) BETWEEN 1 AND 64),
  PRIMARY KEY (scan_id, role, name),
  CHECK ((blob IS NULL) = (digest IS NULL)),
  CHECK (blob IS NULL OR received = bytes),
  CHECK (blob IS NOT NULL OR upload IS NOT NULL),
  CHECK (role = 'sent' OR upload IS NULL)
);

-- Chunks of uploaded files, of which `scan_file.blob` is the first. A row is deleted when its blob is deleted, possibly after
-- the row of the file.

CREATE TABLE mien.upload_piece (
  upload text NOT NULL CHECK (length(upload) BETWEEN 1 AND 64),
  start bigint NOT NULL CHECK (start >= 0),
  finish bigint NOT NULL CHECK (finish > start),
  blob text NOT NULL UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
  PRIMARY KEY (upload, start)
);

-- Coordination of servers that share the database.

CREATE TABLE mien.server (
  id text PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  seen_ms bigint NOT NULL,
  tidying bigint NOT NULL CHECK (tidying IN (0, 1))
);

CREATE TABLE mien.blob_place (
  id bigint PRIMARY KEY CHECK (id = 1),
  blob text NOT NULL CHECK (length(blob) BETWEEN 1 AND 64)
);
