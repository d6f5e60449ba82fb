import Foundation
import GRDB
import MienCore
import MienPlatform
import MienChecks
import MienCaptures
import MienScanService
import MienStore
import MienTestSupport
import Testing

@testable import MienStore

/// Migration in both directions: a record of every table, with values that a faulty copy would change.
@Suite(.enabled(if: PostgresServer.isInstalled)) final class `Store migration` {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-move-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private var source: String { folder + "/source.sqlite" }
  private var back: String { folder + "/back.sqlite" }

  /// Creates a database with at least one record in every table.
  private func fill(_ path: String) throws {
    _ = try SQLiteStore(path: path)
    let queue = try DatabaseQueue(path: path)
    try queue.write { db in try db.execute(sql: Self.records) }
    try queue.close()
  }

  /// The insertion order of captures and scans differs from that of their IDs and times.
  private static let records = """
    INSERT INTO api_key (digest, created_ms, name, scopes) VALUES (randomblob(32), 1, 'ünï \u{1F9D1}\u{200D}\u{1F680}', 'a b');
    INSERT INTO api_key (digest, created_ms) VALUES (randomblob(32), -9223372036854775808);
    INSERT INTO liveness_check (id, token_digest, created_ms, expires_ms, side, person, expects_depth, reference, tasks)
      VALUES ('chk_a', zeroblob(32), 1, 2, 'subject-left', 'ada', 1, CAST(x'6100C3BC' AS TEXT), NULL),
        ('chk_B', zeroblob(32), 1, 9223372036854775807, 'subject-right', NULL, 0, '', NULL),
        ('chk_A', zeroblob(32), 1, 2, 'subject-right', NULL, 0, NULL, '[ 1,  2.0 ]');
    INSERT INTO verdict (check_id, decided_ms, outcome, reason, source, frames, outbound_path, return_path, findings)
      VALUES ('chk_a', 5, 'failed', 'static', 'observed', 3, '[0.1]', '[]', '[
        {"name":"a","result":"suspect","native":"0.1","score":"0.30000000000000004","calibration":"c","reason":"r"},
        {"name":"b","result":"genuine","native":"inf","score":"1.0","calibration":"c"},
        {"name":"c","result":"genuine","native":"-0.0","score":"5e-324","calibration":"c"},
        {"name":"d","result":"not-assessed","reason":"no-face"}]'),
        ('chk_B', 5, 'passed', NULL, 'claimed', 3, '[]', '[]', '[]');
    INSERT INTO picture VALUES ('chk_a', 0, 'reference', randomblob(204864), '[-1.5, 2, 3, 4]'),
      ('chk_a', 1, 'audit', x'00', '[1, 2, 3, 4]');
    INSERT INTO clip VALUES ('chk_a', 'ready', randomblob(3000000)), ('chk_B', 'pending', NULL);
    INSERT INTO check_template VALUES ('chk_a', randomblob(560));
    INSERT INTO face_template VALUES ('ada', 'model-1', 5, 'chk_a', randomblob(560)), ('bob', 'model-1', 6, NULL, x'00');
    INSERT INTO compatibility_session VALUES ('chk_a', 'aws', 'o', NULL, zeroblob(32), 4);
    INSERT INTO encrypted_secret VALUES ('signing-key', 'n', randomblob(60), 1);
    INSERT INTO lockout VALUES ('person', 'ada', '[1,2]', NULL, 7);
    INSERT INTO enrollment VALUES ('ada', 2, 1, '{"b":1.10}'), ('ada', 10, 1, '{"a": 1}');
    INSERT INTO webhook_endpoint VALUES ('w', 'https://x', 'check.passed', randomblob(29), NULL, NULL, randomblob(29),
      randomblob(32), 1, NULL);
    INSERT INTO webhook_message VALUES ('m', 'w', 'chk_a', 'check.failed', 1, 0, 2, 'pending', NULL, x'7b7d');
    INSERT INTO message (id, receipt_digest, created_ms, expires_ms, mode, avatar, steps, needs_frames, attempt_limit,
      first_wait_ms, attempts, views, own_key, box, kdf) VALUES ('0123-4567-89AB-CDEF', zeroblob(32), 1, 2, 'secret', 'fox', 3, 1,
      5, 60000, 2, 0, randomblob(32), randomblob(92), 'scrypt,ln=15,r=8,p=1');
    INSERT INTO capture_device (id, public_key, counter, created_ms) VALUES ('phone', randomblob(65), 9, 1);
    INSERT INTO capture_device VALUES ('attested', randomblob(65), 0, 1, randomblob(32), randomblob(65), 4294967295,
      'development', 2);
    INSERT INTO device_challenge VALUES (randomblob(32), 3);
    INSERT INTO capture (id, receipt_digest, received_ms, photo_digest, claims, same_photo, state, metadata)
      VALUES ('cap_22222222222222222222222222222222', zeroblob(32), 5, zeroblob(32), '{}', 0, 'hash-only', x'00ff'),
        ('cap_11111111111111111111111111111111', zeroblob(32), 5, zeroblob(32), '{}', 1, 'hash-only', x''),
        ('cap_33333333333333333333333333333333', zeroblob(32), 4, zeroblob(32), '{}', 2, 'hash-only', NULL);
    INSERT INTO capture_visualization VALUES ('cap_11111111111111111111111111111111', 'depth', randomblob(1000));
    INSERT INTO scan_subject VALUES ('sub_11111111111111111111111111111111', 'Ada 100%', NULL, '2031-05-04', 1);
    INSERT INTO scan (id, subject, kind, photos_expected, created_ms, changed_ms, owner, status, phase, fraction, outcome)
      VALUES ('scn_22222222222222222222222222222222', 'sub_11111111111111111111111111111111', 'face', 3, 1, 2, zeroblob(32), 'working', 'fusing', 0.25, NULL),
        ('scn_11111111111111111111111111111111', NULL, 'object', 0, 1, 2, x'', 'done', NULL, NULL, '{"notes":[]}');
    INSERT INTO scan_file (scan_id, role, name, type, bytes, received, upload, blob, digest) VALUES ('scn_22222222222222222222222222222222', 'sent', 'a/b.png', 'image/png', 10, 3, 'upl_11111111111111111111111111111111', NULL, NULL),
      ('scn_11111111111111111111111111111111', 'result', 'm.glb', 'x', 1, 1, NULL, 'b-1', zeroblob(32));
    INSERT INTO upload_piece VALUES ('upl_11111111111111111111111111111111', 0, 3, 'b-2');
    INSERT INTO account VALUES ('ada', 'operator', '$scrypt$ln=1,r=1,p=1$AAAA$AAAA', 1, 2),
      ('bo.b', 'verifier', 'p', 1, 1);
    INSERT INTO live_snapshot VALUES ('chk_A', 'here', 3, 4, randomblob(900), 5);
    INSERT INTO live_performance VALUES ('prf_A', 9, 'here', 3, 4, 1, 7, randomblob(300), 5);
    INSERT INTO account_session VALUES (randomblob(32), 'ada', 1, 2, 3);
    INSERT INTO sign_in_try VALUES (randomblob(32), 7), (zeroblob(32), 9223372036854775807);
    INSERT INTO message_wait VALUES (randomblob(32), 3, 7), (zeroblob(32), 1, 9223372036854775807);
    INSERT INTO audit VALUES (1, 1, 'key k', 'check.read', 'chk_a', zeroblob(32)), (2, 1, 'k', 'a', '', randomblob(32));
    """

  /// Returns every record of a file by table, in the order in which a server reads them.
  private func records(_ path: String) throws -> [String: [[StoreValue]]] {
    try SQLiteTableExport.whole(path) { tables in
      var found: [String: [[StoreValue]]] = [:]
      for table in try tables.tables() {
        try tables.open(table)
        while let record = try tables.next() { found[table.name, default: []].append(record) }
        #expect(found[table.name] != nil || path != source, "the tests fill \(table.name)")
      }
      return found
    }
  }

  private func move(_ path: String, _ address: PostgresURL, isBack: Bool) throws -> (
    counts: [StoreMigration.Count], wasThere: Bool
  ) {
    try SQLiteTableExport.whole(path) { embedded in
      try PostgresTableExport.whole(address, realm: .live) { shared in
        let tables = try embedded.tables()
        return try isBack
          ? StoreMigration(tables, from: shared, to: embedded).run()
          : StoreMigration(tables, from: embedded, to: shared).run()
      }
    }
  }

  @Test func `both table exports conform to the contract`() throws {
    try checkTableExport { work in try SQLiteTableExport.whole(source) { try work($0) } }
    let address = try PostgresServer.shared.get().address()
    try checkTableExport { work in try PostgresTableExport.whole(address, realm: .live) { try work($0) } }
  }

  @Test func `a round trip leaves all records unchanged`() throws {
    try fill(source)
    let address = try PostgresServer.shared.get().address()
    let before = try records(source)
    let there = try move(source, address, isBack: false)
    #expect(!there.wasThere)
    #expect(Dictionary(uniqueKeysWithValues: there.counts.map { ($0.table, $0.records) }) == before.mapValues(\.count))
    let again = try move(source, address, isBack: false)
    #expect(again.wasThere && again.counts == there.counts, "existing records are compared")
    #expect(try move(back, address, isBack: true).counts == there.counts)
    #expect(try records(back) == before)
    #expect(try records(source) == before, "the source is unchanged")
  }

  @Test func `a migrated store is usable`() async throws {
    try fill(source)
    let address = try PostgresServer.shared.get().address()
    _ = try move(source, address, isBack: false)
    let store = try await PostgresStore(address)
    let id = try #require(CheckID("chk_a"))
    let check = try #require(await store.check(id))
    #expect(check.record.reference == "a\0ü" && check.result?.findings.count == 4)
    #expect(try await store.workingScans().map { $0.id.text.last } == ["2"], "it is no longer processed")
    #expect(try await store.auditCount() == 2)
    let photo = try #require(ContentDigest(bytes: [UInt8](repeating: 0, count: 32)))
    let ids = try await store.captures(of: photo, limit: 9)
    #expect(ids.map { $0.text.suffix(1) } == ["3", "2", "1"], "by time, then by order of arrival")
  }

  @Test func `a target with other records is rejected and left unchanged`() async throws {
    try fill(source)
    let address = try PostgresServer.shared.get().address()
    let store = try await PostgresStore(address)
    let key = SecretDigest(of: "mien_one")
    try await store.addKey(key, at: UnixTime(milliseconds: 1))
    let error = #expect(throws: StoreError.self) { _ = try move(source, address, isBack: false) }
    #expect(error?.code == .duplicate)
    #expect(try await store.hasKey(key))
    #expect(try await store.auditCount() == 0)
  }

  @Test func `a record that the target cannot store stops the copy and rolls it back`() async throws {
    try fill(source)
    let queue = try DatabaseQueue(path: source)
    try await queue.write { db in try db.execute(sql: "UPDATE scan_subject SET name = CAST(x'6100' AS TEXT)") }
    try queue.close()
    let address = try PostgresServer.shared.get().address()
    let error = #expect(throws: StoreError.self) { _ = try move(source, address, isBack: false) }
    #expect(error?.reason == "Copying scan_subject failed: PostgreSQL 22021.")
    #expect(try await PostgresStore(address).hasNoKeys(), "the earlier copy is deleted")
  }

  @Test func `migration statements may exceed the statement timeout`() async throws {
    let schema = "tslow\(UInt32.random(in: 0 ... .max))"
    let server = try PostgresServer.shared.get()
    let store = try await PostgresStore(server.address(schema: schema))
    try await store.write("Test") { db in
      try db.script(
        """
        CREATE FUNCTION mien.slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(1.5); RETURN NEW; END';
        CREATE TRIGGER slow BEFORE INSERT ON mien.api_key FOR EACH ROW EXECUTE FUNCTION mien.slow();
        """)
    }
    // With a connection pooler no session settings are changed, so that this limit stays.
    let limited = try server.address("&pgbouncer=true&options=-c%20statement_timeout%3D1s", schema: schema)
    let keys = StoreTable(name: "api_key", columns: ["digest", "created_ms"], key: ["digest"], parents: [])
    try PostgresTableExport.whole(limited, realm: .live) { tables in
      try tables.insert([[.bytes([UInt8](repeating: 1, count: 32)), .integer(1)]], into: keys)
    }
    #expect(try await !store.hasNoKeys())
  }

  @Test func `a store in use by a server is not migrated`() async throws {
    try fill(source)
    let address = try PostgresServer.shared.get().address()
    let store = try await PostgresStore(address, server: "one")
    #expect(try await store.join() == .alone)
    // Tolerates slow tests.
    _ = try await store.write("Test") { db in try db.change("UPDATE mien.server SET seen_ms = seen_ms + 3600000") }
    let busy = #expect(throws: StoreError.self) { _ = try move(source, address, isBack: false) }
    #expect(busy?.reason.contains("A server is at work") == true)
    try await store.leaveCluster()
    let open = try SQLiteStore(path: source)
    #expect(try await open.auditCount() == 2)
    let locked = #expect(throws: StoreError.self) { _ = try move(source, address, isBack: false) }
    #expect(locked?.reason.contains("has the database") == true)
    #expect(try await open.auditCount() == 2)
  }

  @Test func `stores with different tables are rejected`() throws {
    try fill(source)
    let address = try PostgresServer.shared.get().address()
    let error = #expect(throws: StoreError.self) {
      try SQLiteTableExport.whole(source) { embedded in
        try PostgresTableExport.whole(address, realm: .live) { shared in
          _ = try StoreMigration(embedded.tables().filter { $0.name != "clip" }, from: embedded, to: shared)
        }
      }
    }
    #expect(error?.reason.contains("Only one has: clip.") == true)
  }

  @Test func `printing reveals no values`() {
    for value in [StoreValue.text("ada"), .integer(41), .real(4.5), .bytes([41])] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("ada") && !text.contains("41") && !text.contains("4.5"))
      }
    }
  }
}
