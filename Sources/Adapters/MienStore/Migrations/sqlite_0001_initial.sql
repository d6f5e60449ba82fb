-- API keys and accounts

CREATE TABLE api_key (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  created_ms INTEGER NOT NULL,
  name TEXT CHECK (length(name) BETWEEN 1 AND 64),
  scopes TEXT CHECK (length(scopes) BETWEEN 1 AND 256),
  expires_ms INTEGER,
  revoked_ms INTEGER,
  last_used_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
  name TEXT NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  role TEXT NOT NULL CHECK (role IN ('operator', 'verifier')),
  password TEXT NOT NULL CHECK (length(password) BETWEEN 1 AND 256),
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE account_session (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  account TEXT NOT NULL REFERENCES account (name) ON DELETE CASCADE,
  created_ms INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX account_session_of ON account_session (account);

-- Sign-in attempts: the time at which a name or an address has its full allowance again. The digest does not reveal the
-- name or address. There are few rows and every attempt updates the time, so an index on it would cost more than it saves.
CREATE TABLE sign_in_try (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  full_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE encrypted_secret (
  kind TEXT NOT NULL CHECK (kind IN ('aws-access-key', 'signing-key', 'provenance-key')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  sealed BLOB NOT NULL CHECK (length(sealed) BETWEEN 29 AND 4096),
  created_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  number INTEGER NOT NULL PRIMARY KEY CHECK (number >= 1),
  at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL CHECK (length(actor) BETWEEN 1 AND 80),
  action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 32),
  subject TEXT NOT NULL CHECK (length(subject) <= 160),
  link BLOB NOT NULL CHECK (length(link) = 32)
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_is_not_erased BEFORE DELETE ON audit
  BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

-- Checks. `sources` is a sum of 1 (observed), 2 (claimed), 4 (depth), and 8 (compared).

CREATE TABLE liveness_check (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  token_digest BLOB NOT NULL CHECK (length(token_digest) = 32),
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
  side TEXT NOT NULL CHECK (side IN ('subject-left', 'subject-right')),
  person TEXT CHECK (length(person) BETWEEN 1 AND 64),
  device TEXT CHECK (length(device) BETWEEN 1 AND 64),
  expects_depth INTEGER NOT NULL CHECK (expects_depth IN (0, 1)),
  reference TEXT CHECK (length(reference) <= 128),
  tasks TEXT CHECK (tasks IS NULL OR json_valid(tasks)),
  assurance TEXT CHECK (assurance IN ('basic', 'standard', 'high')),
  bits_of_choice REAL NOT NULL DEFAULT 0 CHECK (bits_of_choice BETWEEN 0 AND 1000),
  attempts INTEGER CHECK (attempts BETWEEN 1 AND 5),
  audit_images INTEGER CHECK (audit_images BETWEEN 0 AND 4),
  keeps_clip INTEGER NOT NULL DEFAULT 0 CHECK (keeps_clip IN (0, 1)),
  sources INTEGER NOT NULL DEFAULT 1 CHECK (sources BETWEEN 1 AND 15),
  takes_scan INTEGER NOT NULL DEFAULT 0 CHECK (takes_scan IN (0, 1)),
  takes_captures INTEGER NOT NULL DEFAULT 0 CHECK (takes_captures IN (0, 1)),
  takes_tasks INTEGER NOT NULL DEFAULT 0 CHECK (takes_tasks IN (0, 1)),
  face_reference BLOB CHECK (length(face_reference) BETWEEN 1 AND 1024),
  template_use TEXT CHECK (template_use IN ('match', 'enroll')),
  return_url TEXT CHECK (length(return_url) BETWEEN 1 AND 1024),
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'passed', 'failed', 'timed-out'))
) STRICT, WITHOUT ROWID;
CREATE INDEX liveness_check_open ON liveness_check (expires_ms) WHERE state = 'open';
CREATE INDEX liveness_check_state ON liveness_check (state, created_ms, id);
CREATE INDEX liveness_check_newest ON liveness_check (created_ms, id);
CREATE INDEX liveness_check_person ON liveness_check (person, created_ms, id) WHERE person IS NOT NULL;
CREATE INDEX liveness_check_reference ON liveness_check (reference, created_ms, id) WHERE reference IS NOT NULL;
CREATE INDEX liveness_check_device ON liveness_check (device) WHERE device IS NOT NULL;

CREATE TABLE verdict (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
  decided_ms INTEGER NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('passed', 'failed', 'timed-out')),
  reason TEXT CHECK ((outcome = 'passed') = (reason IS NULL)),
  source TEXT NOT NULL CHECK (source IN ('observed', 'claimed', 'none')),
  basis TEXT NOT NULL DEFAULT 'none' CHECK (basis IN ('none', 'claimed', 'depth', 'frames')),
  frames INTEGER NOT NULL CHECK (frames >= 0),
  outbound_path TEXT NOT NULL CHECK (json_valid(outbound_path)),
  return_path TEXT NOT NULL CHECK (json_valid(return_path)),
  received_count INTEGER CHECK (received_count >= 0),
  received_chain BLOB CHECK ((received_count IS NULL) = (received_chain IS NULL)) CHECK (length(received_chain) = 32),
  settings TEXT CHECK (length(settings) BETWEEN 1 AND 256),
  earlier TEXT CHECK (earlier IS NULL OR json_valid(earlier)),
  side TEXT CHECK (side IS NULL OR side IN ('subject-left', 'subject-right')),
  feedback TEXT CHECK (feedback IS NULL OR json_valid(feedback)),
  findings TEXT NOT NULL CHECK (json_valid(findings))
) STRICT, WITHOUT ROWID;
CREATE INDEX verdict_decided ON verdict (decided_ms);

-- Encrypted images are up to 64 bytes longer than the largest image.
CREATE TABLE picture (
  check_id TEXT NOT NULL REFERENCES verdict (check_id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 4),
  kind TEXT NOT NULL CHECK (kind IN ('reference', 'audit')),
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 204864),
  box TEXT NOT NULL CHECK (json_valid(box)),
  PRIMARY KEY (check_id, ordinal)
) STRICT;

CREATE TABLE clip (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES verdict (check_id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
  bytes BLOB CHECK ((state = 'ready') = (bytes IS NOT NULL))
) STRICT;
CREATE INDEX clip_pending ON clip (check_id) WHERE state = 'pending';

CREATE TABLE compatibility_session (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
  api TEXT NOT NULL CHECK (api IN ('aws')),
  owner TEXT NOT NULL CHECK (length(owner) BETWEEN 1 AND 128),
  request_token TEXT CHECK (length(request_token) BETWEEN 1 AND 64),
  parameters BLOB NOT NULL CHECK (length(parameters) = 32),
  audit_images INTEGER NOT NULL CHECK (audit_images BETWEEN 0 AND 4)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX compatibility_session_request ON compatibility_session (api, owner, request_token)
  WHERE request_token IS NOT NULL;

CREATE TABLE lockout (
  kind TEXT NOT NULL CHECK (kind IN ('person', 'device')),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
  failures TEXT NOT NULL CHECK (json_valid(failures)),
  locked_until_ms INTEGER,
  expires_ms INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX lockout_expires ON lockout (expires_ms);

CREATE TABLE enrollment (
  person TEXT NOT NULL CHECK (length(person) BETWEEN 1 AND 64),
  version INTEGER NOT NULL CHECK (version >= 1),
  created_ms INTEGER NOT NULL,
  thresholds TEXT NOT NULL CHECK (json_valid(thresholds)),
  PRIMARY KEY (person, version)
) STRICT, WITHOUT ROWID;

-- Templates of checks that passed, from which their persons can be enrolled until they are deleted, a day after the verdict.

CREATE TABLE check_template (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES verdict (check_id) ON DELETE CASCADE,
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 1024)
) STRICT, WITHOUT ROWID;

-- Templates of enrolled persons. A template outlives the check that it is from, so `check_id` has no foreign key; it is
-- NULL if an operator sent a picture.

CREATE TABLE face_template (
  person TEXT NOT NULL PRIMARY KEY CHECK (length(person) BETWEEN 1 AND 64),
  model TEXT NOT NULL CHECK (length(model) BETWEEN 1 AND 64),
  created_ms INTEGER NOT NULL,
  check_id TEXT CHECK (length(check_id) BETWEEN 1 AND 64),
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 1024)
) STRICT, WITHOUT ROWID;

-- State of active checks, so that they continue after a restart or on another server.
CREATE TABLE live_snapshot (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES liveness_check (id) ON DELETE CASCADE,
  server TEXT NOT NULL CHECK (length(server) <= 64),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  renewed_ms INTEGER NOT NULL,
  state BLOB CHECK (length(state) BETWEEN 29 AND 1048576),
  state_ms INTEGER CHECK ((state_ms IS NULL) = (state IS NULL))
) STRICT;

-- Webhooks. `events` is a list of event names separated by spaces.

CREATE TABLE webhook_endpoint (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  url TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 2048),
  events TEXT NOT NULL,
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
  state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'delivered', 'failed')),
  answer TEXT CHECK (length(answer) BETWEEN 1 AND 32),
  body BLOB CHECK (length(body) BETWEEN 1 AND 1048576),
  CHECK ((check_id IS NULL) = (event = 'webhook.ping')),
  CHECK (body IS NULL OR state IN ('pending', 'sending'))
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_message_due ON webhook_message (endpoint, next_ms) WHERE state IN ('pending', 'sending');
CREATE INDEX webhook_message_sending ON webhook_message (endpoint, next_ms) WHERE state = 'sending';
CREATE INDEX webhook_message_over ON webhook_message (next_ms) WHERE state IN ('delivered', 'failed');
CREATE INDEX webhook_message_newest ON webhook_message (endpoint, created_ms);
CREATE INDEX webhook_message_check ON webhook_message (check_id) WHERE check_id IS NOT NULL;

-- Locked messages. Neither the text nor the sequence is stored in plaintext; the ciphertext is deleted when the lock ends.
-- `kdf` holds the parameters of the key derivation.

CREATE TABLE message (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 19),
  receipt_digest BLOB NOT NULL CHECK (length(receipt_digest) = 32),
  created_ms INTEGER NOT NULL,
  expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
  mode TEXT NOT NULL CHECK (mode IN ('open', 'secret')),
  avatar TEXT NOT NULL CHECK (length(avatar) BETWEEN 1 AND 64),
  steps INTEGER NOT NULL CHECK (steps BETWEEN 3 AND 12),
  needs_frames INTEGER NOT NULL CHECK (needs_frames IN (0, 1)),
  needs_passive INTEGER NOT NULL DEFAULT 0 CHECK (needs_passive IN (0, 1) AND needs_passive <= needs_frames),
  link_digest BLOB CHECK (length(link_digest) = 32),
  attempt_limit INTEGER NOT NULL CHECK (attempt_limit BETWEEN 1 AND 100),
  first_wait_ms INTEGER NOT NULL CHECK (first_wait_ms BETWEEN 10000 AND 86400000),
  view_limit INTEGER CHECK (view_limit BETWEEN 1 AND 100),
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  views INTEGER NOT NULL CHECK (views >= 0),
  locked_until_ms INTEGER,
  ended TEXT CHECK (ended IN ('read', 'expired', 'deleted')),
  own_key BLOB CHECK (length(own_key) = 32),
  box BLOB CHECK (length(box) BETWEEN 92 AND 8192),
  hint BLOB CHECK (length(hint) BETWEEN 29 AND 256),
  kdf TEXT CHECK (length(kdf) BETWEEN 1 AND 64),
  CHECK (view_limit IS NULL OR views <= view_limit),
  CHECK ((ended IS NULL) = (box IS NOT NULL)),
  CHECK ((own_key IS NULL) = (box IS NULL)),
  CHECK ((hint IS NOT NULL) = (mode = 'open' AND ended IS NULL)),
  CHECK ((kdf IS NULL) = (box IS NULL))
) STRICT;
CREATE INDEX message_newest ON message (created_ms, id);
CREATE INDEX message_due ON message (expires_ms) WHERE ended IS NULL;
CREATE INDEX message_over ON message (expires_ms) WHERE ended IS NOT NULL;

-- Waits of addresses at messages after wrong attempts. The digest reveals neither the address nor the message.

CREATE TABLE message_wait (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  attempts INTEGER NOT NULL CHECK (attempts >= 1),
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX message_wait_until ON message_wait (until_ms);

CREATE TABLE live_performance (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  expires_ms INTEGER NOT NULL,
  server TEXT NOT NULL CHECK (length(server) <= 64),
  epoch INTEGER NOT NULL CHECK (epoch >= 1),
  renewed_ms INTEGER NOT NULL,
  closed INTEGER NOT NULL CHECK (closed IN (0, 1)),
  revision INTEGER NOT NULL CHECK (revision >= 0),
  state BLOB NOT NULL CHECK (length(state) BETWEEN 29 AND 1048576),
  state_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX live_performance_expires ON live_performance (expires_ms);

-- Captures and the devices that sign them. A capture outlives the registration of its device, so it refers to the device
-- without a foreign key. It has no foreign key to its check, because its files must be deleted first. `worker` is the
-- server that analyzes it. `owner` is empty without an API key.

CREATE TABLE capture_device (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  public_key BLOB NOT NULL CHECK (length(public_key) = 65),
  counter INTEGER NOT NULL CHECK (counter >= 0),
  created_ms INTEGER NOT NULL,
  attested_id BLOB CHECK (length(attested_id) = 32),
  attested_key BLOB CHECK (length(attested_key) = 65) CHECK ((attested_key IS NULL) = (attested_id IS NULL)),
  attested_counter INTEGER CHECK (attested_counter BETWEEN 0 AND 4294967295)
    CHECK ((attested_counter IS NULL) = (attested_id IS NULL)),
  attested_environment TEXT CHECK (attested_environment IN ('production', 'development'))
    CHECK ((attested_environment IS NULL) = (attested_id IS NULL)),
  attested_ms INTEGER CHECK ((attested_ms IS NULL) = (attested_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE device_challenge (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX device_challenge_expires ON device_challenge (expires_ms);

CREATE TABLE capture (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  owner BLOB NOT NULL DEFAULT x'' CHECK (length(owner) IN (0, 32)),
  check_id TEXT CHECK (length(check_id) BETWEEN 1 AND 64),
  bytes INTEGER NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  receipt_digest BLOB NOT NULL CHECK (length(receipt_digest) = 32),
  received_ms INTEGER NOT NULL,
  photo_digest BLOB NOT NULL CHECK (length(photo_digest) = 32),
  photo_size INTEGER CHECK (photo_size >= 0),
  photo_blob TEXT UNIQUE CHECK (length(photo_blob) BETWEEN 1 AND 64),
  photo_type TEXT CHECK (
    photo_type IN ('image/jpeg', 'image/png', 'image/heic', 'image/avif', 'image/webp')
  ),
  depth_digest BLOB CHECK (length(depth_digest) = 32),
  depth_size INTEGER CHECK (depth_size >= 0),
  depth_blob TEXT UNIQUE CHECK (length(depth_blob) BETWEEN 1 AND 64),
  motion TEXT CHECK (motion IS NULL OR json_valid(motion)),
  motion_blob TEXT UNIQUE CHECK (length(motion_blob) BETWEEN 1 AND 64),
  metadata BLOB CHECK (length(metadata) <= 65600),
  detection BLOB CHECK (length(detection) <= 262208),
  claims TEXT NOT NULL CHECK (json_valid(claims)),
  signature TEXT CHECK (signature IS NULL OR json_valid(signature)),
  same_photo INTEGER NOT NULL CHECK (same_photo >= 0),
  counter_before INTEGER CHECK (counter_before >= 0),
  assertion_before INTEGER CHECK (assertion_before BETWEEN 0 AND 4294967295),
  state TEXT NOT NULL CHECK (state IN ('queued', 'analyzed', 'hash-only')),
  results TEXT CHECK (results IS NULL OR json_valid(results)),
  provenance TEXT CHECK (provenance IS NULL OR json_valid(provenance)),
  reception TEXT CHECK (reception IS NULL OR json_valid(reception)),
  worker TEXT,
  CHECK ((state = 'hash-only') = (photo_blob IS NULL)),
  CHECK ((photo_blob IS NULL) = (photo_size IS NULL) AND (photo_blob IS NULL) = (photo_type IS NULL)),
  CHECK ((depth_blob IS NULL) = (depth_size IS NULL) AND (depth_blob IS NULL OR depth_digest IS NOT NULL)),
  CHECK (motion_blob IS NULL OR (motion IS NOT NULL AND photo_blob IS NOT NULL)),
  CHECK ((state = 'analyzed') = (results IS NOT NULL)),
  CHECK ((provenance IS NULL AND reception IS NULL) OR results IS NOT NULL)
) STRICT;
CREATE INDEX capture_photo ON capture (photo_digest, received_ms);
CREATE INDEX capture_state ON capture (state, received_ms, id);
CREATE INDEX capture_received ON capture (received_ms, id);
CREATE INDEX capture_check ON capture (check_id, received_ms, id) WHERE check_id IS NOT NULL;
CREATE INDEX capture_owner ON capture (owner);

CREATE TABLE capture_visualization (
  capture_id TEXT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 4194368),
  PRIMARY KEY (capture_id, kind)
) STRICT;

-- Depth scans, without a foreign key to their check for the same reason. The `worker` of a scan is the server that
-- processes it, and that of a file is the writer that may add to it.

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
  check_id TEXT CHECK (length(check_id) BETWEEN 1 AND 64),
  subject TEXT REFERENCES scan_subject (id) ON DELETE CASCADE,
  label TEXT CHECK (length(label) BETWEEN 1 AND 200),
  kind TEXT NOT NULL CHECK (kind IN ('face', 'object', 'room')),
  photos_expected INTEGER NOT NULL CHECK (photos_expected BETWEEN 0 AND 1000),
  voxel_um INTEGER CHECK (voxel_um BETWEEN 500 AND 100000),
  nearest_mm INTEGER CHECK (nearest_mm BETWEEN 0 AND 65535),
  farthest_mm INTEGER CHECK (farthest_mm BETWEEN 0 AND 65535),
  created_ms INTEGER NOT NULL,
  changed_ms INTEGER NOT NULL,
  owner BLOB NOT NULL DEFAULT x'' CHECK (length(owner) IN (0, 32)),
  status TEXT NOT NULL CHECK (status IN ('uploading', 'queued', 'working', 'done', 'failed', 'cancelled')),
  phase TEXT,
  fraction REAL CHECK (fraction BETWEEN 0 AND 1),
  attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  problem_code TEXT CHECK (length(problem_code) BETWEEN 1 AND 64),
  problem_detail TEXT CHECK (length(problem_detail) BETWEEN 1 AND 4000),
  content BLOB CHECK (length(content) = 32),
  request TEXT CHECK (length(request) BETWEEN 1 AND 64),
  outcome TEXT CHECK (outcome IS NULL OR json_valid(outcome)),
  worker TEXT,
  CHECK ((nearest_mm IS NULL) = (farthest_mm IS NULL)),
  CHECK (nearest_mm < farthest_mm),
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
CREATE INDEX scan_unfinished ON scan (changed_ms) WHERE status IN ('failed', 'cancelled');
CREATE UNIQUE INDEX scan_request ON scan (owner, request) WHERE request IS NOT NULL;
CREATE INDEX scan_content ON scan (content) WHERE content IS NOT NULL;
CREATE INDEX scan_check ON scan (check_id) WHERE check_id IS NOT NULL;
CREATE INDEX scan_owner ON scan (owner);

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
  worker TEXT CHECK (length(worker) BETWEEN 1 AND 64),
  PRIMARY KEY (scan_id, role, name),
  CHECK ((blob IS NULL) = (digest IS NULL)),
  CHECK (blob IS NULL OR received = bytes),
  CHECK (blob IS NOT NULL OR upload IS NOT NULL),
  CHECK (role = 'sent' OR upload IS NULL)
) STRICT;

-- Chunks of uploaded files, of which `scan_file.blob` is the first. A row is deleted when its blob is deleted, possibly after
-- the row of the file.

CREATE TABLE upload_piece (
  upload TEXT NOT NULL CHECK (length(upload) BETWEEN 1 AND 64),
  start INTEGER NOT NULL CHECK (start >= 0),
  finish INTEGER NOT NULL CHECK (finish > start),
  blob TEXT NOT NULL UNIQUE CHECK (length(blob) BETWEEN 1 AND 64),
  PRIMARY KEY (upload, start)
) STRICT;

-- Coordination of servers that share a database: empty here, so that both databases have the same tables.

CREATE TABLE server (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  seen_ms INTEGER NOT NULL,
  tidying INTEGER NOT NULL CHECK (tidying IN (0, 1))
) STRICT;

CREATE TABLE blob_place (
  id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
  blob TEXT NOT NULL CHECK (length(blob) BETWEEN 1 AND 64)
) STRICT;
