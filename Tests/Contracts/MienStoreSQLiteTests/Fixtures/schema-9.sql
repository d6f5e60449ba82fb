-- A database as version 9 of the schema left it, with one row of each kind. Never edit; a new version gets a new file.
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE api_key (
  digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "api_key" VALUES(X'0101010101010101010101010101010101010101010101010101010101010101',1767225600000);
CREATE TABLE capture (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 36),
  receipt_digest BLOB NOT NULL CHECK (length(receipt_digest) = 32),
  received_ms INTEGER NOT NULL,
  photo_digest BLOB NOT NULL CHECK (length(photo_digest) = 32),
  photo_size INTEGER CHECK (photo_size >= 0),
  photo_blob TEXT UNIQUE CHECK (length(photo_blob) BETWEEN 1 AND 64),
  photo_type TEXT CHECK (photo_type IN ('image/jpeg', 'image/png')),
  depth_digest BLOB CHECK (length(depth_digest) = 32),
  depth_size INTEGER CHECK (depth_size >= 0),
  depth_blob TEXT UNIQUE CHECK (length(depth_blob) BETWEEN 1 AND 64),
  metadata BLOB CHECK (length(metadata) <= 65536),
  detection BLOB CHECK (length(detection) <= 262144),
  claims TEXT NOT NULL CHECK (json_valid(claims)),
  signature TEXT CHECK (signature IS NULL OR json_valid(signature)),
  same_photo INTEGER NOT NULL CHECK (same_photo >= 0),
  counter_before INTEGER CHECK (counter_before >= 0),
  state TEXT NOT NULL CHECK (state IN ('queued', 'analysed', 'hash-only')),
  results TEXT CHECK (results IS NULL OR json_valid(results)),
  CHECK ((state = 'hash-only') = (photo_blob IS NULL)),
  CHECK ((photo_blob IS NULL) = (photo_size IS NULL) AND (photo_blob IS NULL) = (photo_type IS NULL)),
  CHECK ((depth_blob IS NULL) = (depth_size IS NULL) AND (depth_blob IS NULL OR depth_digest IS NOT NULL)),
  CHECK ((state = 'analysed') = (results IS NOT NULL))
) STRICT;
INSERT INTO "capture" VALUES('cap_fcLKB0LRpmKTq_ETGwgQHfS-DlH0NA8p',X'335C94B83E20E3282F3EBDBB13B7BFD841FC5469DE091428D250618FDB13F051',1795317312786,X'70721D5B99AEDDF2F0E754FB3A17D7850F32D95DAC72DB1D4856AE730F2DFBDF',160806,'bG3R0p_85PKcZmjCAhTJn3_HcxWXzmIjq','image/png',X'CA59DD770E6D2E042FC912091429EB4A54893FC7960F48453555A4A57CF1DF93',248,'bTM-CuC5Is6FhO3wJ6lqOi7uXxhQ13SaU',X'7B2263617074757265645F61745F6D73223A20313739353331373331323735322C20226C6F636174696F6E223A207B226C61746974756465223A2035322E352C20226C6F6E676974756465223A2031332E347D2C2022646574656374696F6E5F617661696C61626C65223A20747275652C2022646574656374696F6E5F636F6E666964656E63655F6C6576656C223A202268696768222C20226C656E73223A20226261636B227D',X'7B226D6F697265223A207B226465746563746564223A2066616C73652C2022636F6E666964656E6365223A20302E392C20227065616B73223A205B5D2C2022616C676F726974686D5F76657273696F6E223A2022312E30227D2C202274657874757265223A207B22636C617373696669636174696F6E223A20227265616C5F7363656E65222C2022636F6E666964656E6365223A20302E382C2022616C676F726974686D5F76657273696F6E223A2022312E30227D2C2022617274696661637473223A207B2269735F6C696B656C795F6172746966696369616C223A2066616C73652C20226F766572616C6C5F636F6E666964656E6365223A20302E372C202270776D5F666C69636B65725F6465746563746564223A2066616C73652C202270776D5F636F6E666964656E6365223A20302E312C202273706563756C61725F7061747465726E5F6465746563746564223A2066616C73652C202273706563756C61725F636F6E666964656E6365223A20302C202268616C66746F6E655F6465746563746564223A2066616C73652C202268616C66746F6E655F636F6E666964656E6365223A20302C2022616C676F726974686D5F76657273696F6E223A2022312E30227D2C2022616767726567617465645F636F6E666964656E6365223A207B226F766572616C6C5F636F6E666964656E6365223A20302E392C2022636F6E666964656E63655F6C6576656C223A202268696768222C20227072696D6172795F7369676E616C223A20226C69646172222C20227072696D6172795F7369676E616C5F76616C6964223A20747275652C2022737570706F7274696E675F7369676E616C735F6167726565223A20747275652C2022666C616773223A205B5D2C2022616C676F726974686D5F76657273696F6E223A2022312E30227D7D','{"detection":{"artifacts":{"is_likely_artificial":false,"confidence":0.7,"specular_pattern_detected":false,"pwm_confidence":0.1,"algorithm_version":"1.0","halftone_detected":false,"specular_confidence":0,"pwm_detected":false,"halftone_confidence":0},"status":"complete","processing_ms":{},"texture":{"classification":"real_scene","confidence":0.8,"algorithm_version":"1.0"},"moire":{"detected":false,"peaks":[],"confidence":0.9,"algorithm_version":"1.0"},"checks":[],"aggregated":{"overall_confidence":0.9,"confidence_level":"high","contributions":[],"supporting_signals_agree":true,"algorithm_version":"1.0","flags":[],"primary_signal_valid":true}},"metadata":{"detection_available":true,"captured_at_ms":1795317312752,"location":{"longitude":13.4,"latitude":52.5},"detection_confidence_level":"high"}}','{"counter":1,"standing":"valid","changed":[],"device":"phone-4236-1"}',0,0,'analysed','{"aggregated":{"algorithm_version":"1","primary_signal":"depth","confidence_level":"very_high","supporting_signals_agree":true,"primary_signal_valid":true,"contributions":[{"weight":0.1388888888888889,"score":0.4664702639271912,"check":"moire"},{"weight":0.2777777777777778,"score":0.4353066980672865,"check":"texture"},{"weight":0.11111111111111113,"score":0.9457977191611879,"check":"banding"},{"weight":0.11111111111111113,"score":0.9671296144333786,"check":"halftone"},{"weight":0.027777777777777783,"score":0.9949221562066797,"check":"bezel"},{"weight":0.33333333333333337,"score":0.946833725900588,"check":"depth"}],"flags":[],"overall_confidence":0.9580429812878865},"depth":{"valid_share":1,"depth_range":1.0920000672340393,"verdict":"genuine","deviation":0.5047028149797552,"edge_agreement":0.9595959595959596,"plane_residual":5.218048215738236e-15,"plane_share":0.5620300751879699,"algorithm_version":"1","layers":2},"moire":{"confidence":0.4664702639271912,"algorithm_version":"1","peaks":[{"angle":122.61040582726326,"prominence":1.8810704946517944,"frequency":0.2882166802883148},{"angle":123.057158203125,"prominence":1.7984648942947388,"frequency":0.29902592301368713},{"angle":144.17256198347107,"prominence":1.607491374015808,"frequency":0.2125229835510254},{"angle":35.82743801652893,"prominence":1.6036940813064575,"frequency":0.2125229835510254},{"angle":36.680625,"prominence":1.4737731218338013,"frequency":0.1171875},{"angle":34.48331360946746,"prominence":1.4697296619415283,"frequency":0.12352646887302399},{"angle":36.680625,"prominence":1.1099328994750977,"frequency":0.0390625},{"angle":34.7823,"prominence":0.9559874534606934,"frequency":0.09536371380090714},{"angle":36.680625,"prominence":0.7196081280708313,"frequency":0.0390625}],"detected":false},"cross_validation":{"pairwise_consistencies":[{"second":"texture","consistency":0.9688364341400952,"first":"moire"},{"second":"banding","consistency":0.5206725447660032,"first":"moire"},{"second":"halftone","consistency":0.4993406494938126,"first":"moire"},{"second":"bezel","consistency":0.4715481077205115,"first":"moire"},{"second":"depth","consistency":0.5196365380266033,"first":"moire"},{"second":"banding","consistency":0.48950897890609857,"first":"texture"},{"second":"halftone","consistency":0.46817708363390786,"first":"texture"},{"second":"bezel","consistency":0.4403845418606068,"first":"texture"},{"second":"depth","consistency":0.4884729721666985,"first":"texture"},{"second":"halftone","consistency":0.9786681047278093,"first":"banding"},{"second":"bezel","consistency":0.9508755629545083,"first":"banding"},{"second":"depth","consistency":0.9989639932605999,"first":"banding"},{"second":"bezel","consistency":0.972207458226699,"first":"halftone"},{"second":"depth","consistency":0.9797041114672094,"first":"halftone"},{"second":"depth","consistency":0.9519115696939083,"first":"bezel"}],"algorithm_version":"1","anomalies":[],"confidence_intervals":[{"upper":0.2226399390274077,"check":"moire","lower":0.05889311556385228},{"upper":0.2226399390274077,"check":"texture","lower":0.05889311556385228},{"upper":0.3322432064829301,"check":"banding","lower":0.1395035379090443},{"upper":0.9999999999999998,"check":"bezel","lower":0.8969048066975212}],"validation_status":"pass"},"checks":[{"threshold":2.65,"calibration":"2026-11","native":1.947012186050415,"result":"undecided","score":0.4664702639271912,"check":"moire","algorithm_version":"1"},{"threshold":1.0357,"calibration":"2026-11","native":-0.21555184598491905,"result":"undecided","score":0.4353066980672865,"check":"texture","algorithm_version":"1"},{"threshold":16,"calibration":"2026-11","native":1.4220828123842308,"result":"genuine","score":0.9457977191611879,"check":"banding","algorithm_version":"1"},{"algorithm_version":"1","check":"specular","result":"not-assessed","reason":"nothing-to-measure"},{"threshold":2.6,"calibration":"2026-11","native":1.3545598983764648,"result":"genuine","score":0.9671296144333786,"check":"halftone","algorithm_version":"1"},{"threshold":92,"calibration":"2026-11","native":6.666666666666667,"result":"genuine","score":0.9949221562066797,"check":"bezel","algorithm_version":"1"},{"algorithm_version":"1","check":"double-compression","result":"not-assessed","reason":"not-compressed"},{"threshold":100.1,"calibration":"2026-11","native":56.20300751879699,"result":"genuine","score":0.946833725900588,"check":"depth","algorithm_version":"1"},{"algorithm_version":"1","check":"parallax","result":"not-assessed","reason":"too-few-frames"},{"algorithm_version":"1","check":"band-motion","result":"not-assessed","reason":"too-few-frames"},{"algorithm_version":"1","check":"flicker","result":"not-assessed","reason":"too-few-frames"},{"algorithm_version":"1","check":"focus","result":"not-assessed","reason":"too-few-frames"}],"texture":{"confidence":0.870613396134573,"algorithm_version":"1","classification":"unknown"},"status":"complete","processing_ms":{"artifacts":5.267278999999999,"texture":7.5582720000000005,"moire":16.665999,"burst":0.0061990000000000005,"depth":0.129522},"artifacts":{"halftone_detected":false,"confidence":0.9457977191611879,"is_likely_artificial":false,"pwm_detected":false,"bezel_confidence":0.9949221562066797,"pwm_confidence":0.9457977191611879,"algorithm_version":"1","halftone_confidence":0.9671296144333786,"bezel_detected":false}}');
CREATE TABLE capture_device (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  public_key BLOB NOT NULL CHECK (length(public_key) = 65),
  counter INTEGER NOT NULL CHECK (counter >= 0),
  created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "capture_device" VALUES('phone-4236-1',X'04A14699F486ABB47918FA32E9AD20D9891138C0BB80C72A61C1CE5AA8FD2C7531E8583C9F39AF637A7145003CF09E003425DB3A217046F531A73D3CC88BBE025C',1,1795317312647);
CREATE TABLE capture_drawing (
  capture_id TEXT NOT NULL REFERENCES capture (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('depth', 'spectrum', 'tiles')),
  bytes BLOB NOT NULL CHECK (length(bytes) BETWEEN 1 AND 4194304),
  PRIMARY KEY (capture_id, kind)
) STRICT;
CREATE TABLE clip (
  check_id TEXT NOT NULL PRIMARY KEY REFERENCES verdict (check_id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('pending', 'ready', 'failed')),
  bytes BLOB CHECK ((state = 'ready') = (bytes IS NOT NULL))
) STRICT;
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
INSERT INTO "grdb_migrations" VALUES('5-webhooks');
INSERT INTO "grdb_migrations" VALUES('6-sessions');
INSERT INTO "grdb_migrations" VALUES('7-messages');
INSERT INTO "grdb_migrations" VALUES('8-message-passive');
INSERT INTO "grdb_migrations" VALUES('9-captures');
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
, device TEXT CHECK (length(device) BETWEEN 1 AND 64), tasks TEXT CHECK (tasks IS NULL OR json_valid(tasks)), attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts BETWEEN 1 AND 5), audit_pictures INTEGER CHECK (audit_pictures BETWEEN 0 AND 4), keeps_clip INTEGER NOT NULL DEFAULT 0 CHECK (keeps_clip IN (0, 1))) STRICT, WITHOUT ROWID;
INSERT INTO "liveness_check" VALUES('chk_old',X'0202020202020202020202020202020202020202020202020202020202020202',1767225600000,1767225780000,'subject-left','ada',1,'order 1',0,'phone-1',NULL,1,NULL,0);
INSERT INTO "liveness_check" VALUES('chk_open',X'0303030303030303030303030303030303030303030303030303030303030303',1767225600000,1767225780000,'subject-right',NULL,0,NULL,1,NULL,'{"seed":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32],"wishes":[{"kind":"blink"}]}',1,NULL,0);
CREATE TABLE lockout (
            kind TEXT NOT NULL CHECK (kind IN ('person', 'device')),
            name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
            failures TEXT NOT NULL CHECK (json_valid(failures)),
            locked_until_ms INTEGER,
            expires_ms INTEGER NOT NULL,
            PRIMARY KEY (kind, name)
          ) STRICT, WITHOUT ROWID;
INSERT INTO "lockout" VALUES('person','ada','[]',1767227410000,1767227410000);
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
  hint BLOB CHECK (length(hint) BETWEEN 29 AND 256), needs_passive INTEGER NOT NULL DEFAULT 0
  CHECK (needs_passive IN (0, 1) AND needs_passive <= needs_frames),
  CHECK (first_wait_ms IS NOT NULL OR attempts <= attempt_limit),
  CHECK (view_limit IS NULL OR views <= view_limit),
  CHECK ((ended IS NULL) = (box IS NOT NULL)),
  CHECK ((own_key IS NULL) = (box IS NULL)),
  CHECK ((hint IS NOT NULL) = (mode = 'open' AND ended IS NULL))
) STRICT;
INSERT INTO "message" VALUES('DEW7-678J-0S0X-NE0P',X'FC1C358409D8047A25EEED2F23EE27CE6751EC0E84785A54B1DCAE52B91696A1',1795298827385,1797890827385,'open','bear',3,0,10,NULL,NULL,0,0,NULL,NULL,X'8875BD9AC21167B95670C1E5A47498416850E8DB3A86BF123EF1B163C126C7B8',X'19D8C2B3AD9CCB84C36CAAAAD0CBB5B8F191E7B6125EDBAF2D2523BFD70DAF739858D87CBE0C1B9DF7001F119C3C1E05C1ED5AEF251199AAA2ED1211C85D8E859560D740427DC2BFE20E31207E1313CBF51781D02D73D838D07467E9',X'6430175A5D12A44AA248014BEB9BA623F4B81E4B2F43AF5413BB46329FFC6104A48202A0BD604D1365CD5195F8DC1AAB872CCA1AEF8ACB019EEC4DF3C3E0ECF13D4ABB82DB70F7749D221923ADBCF6B1579EF32868C25B7AEFDAF5029A8D89458C21BBD1D59201052646003E29FCDAF61E95F3AE6F2A5CDCACEDA7EC1CB80619708167EB97EE711E773A25F49D9C0DF5C864D082EF3B1BF247770273901D90',0);
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
            CHECK (length(received_chain) = 32), settings TEXT CHECK (length(settings) BETWEEN 1 AND 256), earlier TEXT CHECK (earlier IS NULL OR json_valid(earlier)), side TEXT CHECK (side IS NULL OR side IN ('subject-left', 'subject-right'))) STRICT, WITHOUT ROWID;
INSERT INTO "verdict" VALUES('chk_old',1767225610000,'failed','wrong-direction','observed',17,'[1,12.5]','[]',19,X'0505050505050505050505050505050505050505050505050505050505050505','head-turn-1 depth-gate-1',NULL,NULL);
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
INSERT INTO "webhook_endpoint" VALUES('whk_dAe-WVGo7BVlHn_wsIm-9k','http://127.0.0.1:9/hook','["check.passed"]',X'349C0C83B453CA47DE728F8E82EE2A21257A89826A9125577C02848874B03A159EE165AC7E978818C0DA1E8E221D6AADB20196CCA91623CC4E8B97C0',NULL,NULL,X'0E230C8277A7F709C02F53869ADC60B4A23F51B8F61C1D770CAD59B6A71A917D2C2A297345F2720F3DDDFF65154200CE54E965645AD79331C3C76EB0',X'CFC62C397B8E3AF6E2491C83835D175275FE49C6A8FD28A126E584B0CA2959C0',1795298827391,NULL);
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
CREATE INDEX liveness_check_open ON liveness_check (expires_ms) WHERE open = 1;
CREATE INDEX verdict_decided ON verdict (decided_ms);
CREATE UNIQUE INDEX dialect_session_request ON dialect_session (dialect, owner, request_token)
            WHERE request_token IS NOT NULL;
CREATE INDEX liveness_check_person ON liveness_check (person) WHERE person IS NOT NULL;
CREATE INDEX lockout_expires ON lockout (expires_ms);
CREATE INDEX webhook_message_due ON webhook_message (endpoint, next_ms)
  WHERE state IN ('pending', 'sending');
CREATE INDEX webhook_message_sending ON webhook_message (endpoint, next_ms) WHERE state = 'sending';
CREATE INDEX webhook_message_over ON webhook_message (next_ms) WHERE state IN ('delivered', 'given-up');
CREATE INDEX webhook_message_newest ON webhook_message (endpoint, created_ms);
CREATE INDEX webhook_message_check ON webhook_message (check_id) WHERE check_id IS NOT NULL;
CREATE INDEX clip_pending ON clip (check_id) WHERE state = 'pending';
CREATE INDEX message_due ON message (expires_ms) WHERE ended IS NULL;
CREATE INDEX message_over ON message (expires_ms) WHERE ended IS NOT NULL;
CREATE INDEX capture_photo ON capture (photo_digest, received_ms);
CREATE INDEX capture_queued ON capture (received_ms) WHERE state = 'queued';
COMMIT;
