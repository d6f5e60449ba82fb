import MienCore
import MienService
import MienTestSupport
import Testing

@testable import MienStorePostgres

@Suite(.enabled(if: PostgresServer.isInstalled)) struct `PostgreSQL store` {
  private func open(_ more: String = "") async throws -> PostgresStore {
    try await PostgresStore(PostgresServer.shared.get().address(more))
  }

  @Test func `keeps the contract of check stores`() async throws { try await checkCheckStore { try await open() } }
  @Test func `keeps the contract of snapshot stores, of two servers`() async throws {
    let address = try PostgresServer.shared.get().address()
    var number = 0
    try await checkSnapshotStore {
      number += 1
      return try await PostgresStore(address, server: "server-\(number)")
    }
  }
  @Test func `keeps the contract of stores that count what is old`() async throws {
    try await checkRetentionStore { try await open() }
  }
  @Test func `keeps the contract of performance stores, of two servers`() async throws {
    let address = try PostgresServer.shared.get().address()
    var number = 0
    try await checkPerformanceStore {
      number += 1
      return try await PostgresStore(address, server: "server-\(number)")
    }
  }
  @Test func `keeps the contract of key stores`() async throws { try await checkAPIKeyStore { try await open() } }
  @Test func `keeps the contract of key rings`() async throws { try await checkAPIKeyLookup { try await open() } }
  @Test func `keeps the contract of account stores`() async throws { try await checkAccountStore { try await open() } }
  @Test func `keeps the contract of tries to sign in, by the database's clock`() async throws {
    let address = try PostgresServer.shared.get().address("&connection_limit=4")
    try await checkTries {
      try await PostgresStore(address)
    } passing: { store, interval in
      // Equivalent to attempts that happened earlier.
      _ = try await store.pool.write { db in
        try db.change("UPDATE mien.sign_in_try SET full_ms = full_ms - $1", [interval.nanoseconds / 1_000_000])
      }
    }
  }
  @Test func `keeps the contract of parts that are looked at`() async throws {
    let store = try await open("&connection_limit=2")
    try await checkHealthCheckable(store) { try await store.accounts().count }
  }
  @Test func `says so when its disk is full`() async throws {
    let store = try await open()
    try await store.checkFreeSpace()
    await #expect {
      try await store.mapped("Keeping it") {
        try await store.pool.write { db in
          // The server's error if a table cannot grow.
          try db.script("DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'; END $$")
        }
      }
    } throws: { error in
      (error as? StoreError)?.code == .unavailable && "\(error)".contains("disk is full")
    }
    #expect(try await store.accounts().isEmpty, "what is there is read")
    await #expect(throws: StoreError.self) { try await store.checkFreeSpace() }
    try await store.reach()
  }
  @Test func `keeps the contract of audit stores`() async throws { try await checkAuditStore { try await open() } }
  @Test func `keeps the contract of enrollment stores`() async throws {
    try await checkEnrollmentStore { try await open() }
  }
  @Test func `keeps the contract of sealed secret stores`() async throws {
    try await checkEncryptedSecretStore { try await open() }
  }
  @Test func `keeps the contract of dialect session stores`() async throws {
    try await checkCompatibilitySessionStore { try await open() }
  }
  @Test func `keeps the contract of subject stores`() async throws { try await checkLockoutStore { try await open() } }
  @Test func `keeps the contract of clip stores`() async throws { try await checkClipStore { try await open() } }
  @Test func `keeps the contract of webhook stores`() async throws { try await checkWebhookStore { try await open() } }
  @Test func `keeps the contract of message stores`() async throws {
    try await checkMessageStore { try await open() }
    try await checkParallelAttempts { try await open() }
    try await checkMessageExpiry { try await open() }
  }
  @Test func `keeps the contract of capture stores`() async throws { try await checkCaptureStore { try await open() } }
  @Test func `keeps the contract of scan stores`() async throws { try await checkScanStore { try await open() } }
  @Test func `erases checks with what belongs to them, within quotas`() async throws {
    try await checkErasure { try await open() }
  }
  @Test func `keeps the contract of image stores`() async throws { try await checkImageStore { try await open() } }

  @Test func `keeps the contract of sealed columns`() async throws {
    let address = try PostgresServer.shared.get().address("&connection_limit=2")
    try await checkEncryptedColumnStore { try await PostgresStore(address, keyring: $0) }
  }
  @Test func `sealed it keeps the contracts of what is sealed`() async throws {
    let keyring = try sampleSeal(9)
    func open() async throws -> PostgresStore {
      try await PostgresStore(PostgresServer.shared.get().address("&connection_limit=2"), keyring: keyring)
    }
    try await checkCheckStore { try await open() }
    try await checkEnrollmentStore { try await open() }
    try await checkClipStore { try await open() }
    try await checkImageStore { try await open() }
    try await checkCaptureStore { try await open() }
    try await checkScanStore { try await open() }
    try await checkWebhookStore { try await open() }
    try await checkCompatibilitySessionStore { try await open() }
  }

  @Test func `two servers on one database do not both take the last attempt of a message`() async throws {
    let address = try PostgresServer.shared.get().address()
    try await checkParallelAttempts {
      TwoStores(first: try await PostgresStore(address), second: try await PostgresStore(address))
    }
  }

  @Test func `behind a pooler that hands connections on, the contracts hold as well`() async throws {
    try await checkCheckStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkLockoutStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkCaptureStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkScanStore { try await open("&pgbouncer=true&connection_limit=2") }
  }

  @Test func `servers that start at once make the schema once`() async throws {
    let address = try PostgresServer.shared.get().address()
    let key = SecretDigest(of: "mien_one")
    await withThrowingTaskGroup { group in
      for _ in 0..<6 {
        group.addTask { try await PostgresStore(address).addKey(key, at: UnixTime(milliseconds: 1)) }
      }
      var kept = 0
      while let outcome = await group.nextResult() {
        switch outcome {
        case .success: kept += 1
        case .failure(let error): #expect((error as? StoreError)?.code == .duplicate)
        }
      }
      #expect(kept == 1, "all work on the same tables")
    }
  }

  @Test func `each space has its own`() async throws {
    let address = try PostgresServer.shared.get().address()
    let (live, sandbox) = (try await PostgresStore(address), try await PostgresStore(address, space: .sandbox))
    try await live.create(try sampleCheck())
    #expect(try await sandbox.check(try sampleCheck().id) == nil)
    #expect(try await PostgresStore(address).check(try sampleCheck().id)?.record == (try sampleCheck()))
  }

  @Test func `texts of any characters come back as they went in`() async throws {
    let store = try await open()
    for (number, reference) in ["a\0b", "'; DROP TABLE mien.check; --", "\u{1F9D1}\u{200D}\u{1F680} ü \\ \"", ""]
      .enumerated()
    {
      let check = CheckRecord(
        id: try #require(CheckID("chk_\(number)")), token: SecretDigest(of: "x"), created: UnixTime(milliseconds: 1),
        expires: UnixTime(milliseconds: 2), side: .subjectLeft, person: nil, expectsDepth: false, reference: reference)
      try await store.create(check)
      #expect(try await store.check(check.id)?.record == check)
    }
  }

  @Test func `more work than connections waits its turn`() async throws {
    let store = try await open("&connection_limit=2")
    try await withThrowingTaskGroup { group in
      for number in 0..<60 { group.addTask { try await store.create(try sampleCheck("chk_\(number)")) } }
      try await group.waitForAll()
    }
    #expect(try await store.expired(before: UnixTime(milliseconds: .max), limit: 100).count == 60)
  }

  @Test func `a restart of the database costs what is under way, and heals`() async throws {
    let server = try PostgresServer()
    let address = try server.address()
    let store = try await PostgresStore(address)
    try await store.create(try sampleCheck("chk_before"))
    try server.order("stop")
    let error = await #expect(throws: StoreError.self) { try await store.create(try sampleCheck("chk_between")) }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains(PostgresServer.password) == false)
    try server.order("start")
    try await store.create(try sampleCheck("chk_after"))
    for name in ["chk_before", "chk_after"] {
      #expect(try await store.check(try #require(CheckID(name))) != nil)
    }
    #expect(try await store.check(try #require(CheckID("chk_between"))) == nil)
  }

  @Test func `a connection that the server ended is replaced without anybody noticing`() async throws {
    let store = try await open("&connection_limit=1")
    let number: Int64 = try await store.pool.read { db in
      try db.rows("SELECT pg_backend_pid()::bigint AS number")[0]["number"]
    }
    let other = try await open()
    _ = try await other.pool.read { db in try db.rows("SELECT pg_terminate_backend($1::int, 60000)", [number]) }
    try await store.create(try sampleCheck())
    #expect(try await store.check(try sampleCheck().id) != nil)
  }

  @Test func `a transaction that fails leaves nothing, and its connection serves on`() async throws {
    let store = try await open("&connection_limit=1")
    await #expect(throws: PostgresError(.refused("22012"))) {
      try await store.pool.transaction { db in
        try db.change(
          "INSERT INTO mien.api_key (digest, created_ms) VALUES ($1, 1)", [[UInt8](repeating: 1, count: 32)])
        try db.change("SELECT 1 / 0")
      }
    }
    #expect(try await store.hasNoKeys())
  }

  @Test func `a migration may take as long as it needs, and nothing else`() async throws {
    let store = try await open("&connection_limit=1")
    try await store.pool.write { db in try db.script("SET statement_timeout = '700ms'") }
    let nap = "SELECT 1::bigint AS one FROM pg_sleep(1)"
    try await store.pool.transaction { db in try db.withoutStatementTimeout { db in _ = try db.rows(nap) } }
    await #expect(throws: PostgresError(.refused("57014")), "what comes after it in the transaction") {
      try await store.pool.transaction { db in
        try db.withoutStatementTimeout { db in _ = try db.rows("SELECT 1::bigint AS one") }
        _ = try db.rows(nap)
      }
    }
    await #expect(throws: PostgresError(.refused("57014")), "what comes after the transaction") {
      try await store.pool.write { db in _ = try db.rows(nap) }
    }
  }

  @Test func `a state that was kept while its check was decided goes when its server is next heard of`() async throws {
    let store = try await open()
    let (awaited, decided) = (try sampleCheck("chk_awaited"), try sampleCheck("chk_decided"))
    for check in [awaited, decided] { try await store.create(check) }
    try await store.decide(decided.id, sampleResult())
    // As by a statement that saw the check before it was decided.
    _ = try await store.pool.write { db in
      try db.change(
        """
        INSERT INTO mien.live_snapshot (check_id, server, epoch, renewed_ms, state, state_ms)
        SELECT id, 'server', 1, 1, decode(repeat('00', 40), 'hex'), 1 FROM mien.liveness_check
        """)
    }
    func kept() async throws -> [String] {
      try await store.pool.read { db in
        try db.rows("SELECT check_id FROM mien.live_snapshot ORDER BY check_id").map { try $0["check_id"] as String }
      }
    }
    #expect(try await kept() == ["chk_awaited", "chk_decided"])
    try await store.heartbeat()
    #expect(try await kept() == ["chk_awaited"])
    #expect(try await store.check(decided.id)?.result == (try sampleResult()))
  }

  @Test func `errors tell the code and never a value`() async throws {
    let store = try await open()
    try await store.create(try sampleCheck())
    let twice = await #expect(throws: StoreError.self) { try await store.create(try sampleCheck()) }
    #expect(twice?.code == .duplicate)
    #expect(twice?.reason.contains("ada") == false && twice?.reason.contains("chk_1") == false)
    let refused = await #expect(throws: StoreError.self) {
      try await store.mapped("Trying") {
        try await store.pool.write { db in
          try db.change("INSERT INTO mien.api_key (digest, created_ms) VALUES ($1, 1)", [Array("secret".utf8)])
        }
      }
    }
    #expect(refused?.reason == "Trying failed: PostgreSQL 23514.")
  }

  @Test func `a database that is not there is told with its place and without the password`() async throws {
    let address = try #require(PostgresURL("postgres://ada:swordfish-41@/no?host=/nowhere/at/all&port=5499"))
    let error = await #expect(throws: StoreError.self) { _ = try await PostgresStore(address) }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains("/nowhere/at/all") == true && error?.reason.contains("5499") == true)
    #expect(error?.reason.contains("swordfish") == false)
  }

  @Test func `a database of a newer version is refused`() async throws {
    let address = try PostgresServer.shared.get().address()
    let store = try await PostgresStore(address)
    _ = try await store.pool.write { db in try db.change("INSERT INTO mien.migration (version) VALUES (999)") }
    let error = await #expect(throws: StoreError.self) { _ = try await PostgresStore(address) }
    #expect(error?.reason.contains("newer") == true)
  }

  @Test func `a database of before findings and images were sealed comes along`() async throws {
    let address = try PostgresServer.shared.get().address("&connection_limit=2")
    do {
      var db = try PostgresConnection.to(address, schema: address.schema)
      try db.script("CREATE SCHEMA \(address.schema); CREATE TABLE mien.migration (version bigint PRIMARY KEY)")
      for (index, migration) in PostgresSchema.migrations.prefix(6).enumerated() {
        try db.script(migration)
        try db.change("INSERT INTO mien.migration (version) VALUES ($1)", [index + 1])
      }
      try db.script(
        """
        INSERT INTO mien.liveness_check (id, token_digest, created_ms, expires_ms, side, expects_depth)
          VALUES ('chk_a', decode(repeat('00', 32), 'hex'), 1, 2, 'subject-left', 0),
            ('chk_b', decode(repeat('00', 32), 'hex'), 1, 2, 'subject-left', 0);
        INSERT INTO mien.verdict (check_id, decided_ms, outcome, reason, source, frames, way_out, way_back)
          VALUES ('chk_a', 5, 'failed', 'static', 'observed', 3, '[1.5]', '[]'),
            ('chk_b', 5, 'passed', NULL, 'observed', 3, '[]', '[]');
        INSERT INTO mien.finding VALUES ('chk_a', 1, 'b', 'genuine', 'Infinity', 1, 'c', NULL),
          ('chk_a', 0, 'a', 'suspect', 0.1, 0.30000000000000004, 'c', 'static'),
          ('chk_a', 2, 'd', 'not-assessed', NULL, NULL, NULL, 'no-face');
        INSERT INTO mien.picture VALUES ('chk_a', 0, 'reference', '\\x0102', 0.1::real, 0.25, 0.3::real, 0.5);
        """)
    }
    let keyring = try sampleSeal(3)
    let store = try await PostgresStore(address, keyring: keyring)
    let (one, two) = (try #require(CheckID("chk_a")), try #require(CheckID("chk_b")))
    let measure = Finding.Measure(native: 0.1, score: try #require(Score(0.30000000000000004)), calibration: "c")
    let whole = Finding.Measure(native: .infinity, score: try #require(Score(1)), calibration: "c")
    func look() async throws {
      let found = try await store.check(one)?.result
      #expect(
        found?.findings == [
          Finding(check: "a", result: .suspect(measure, because: "static")),
          Finding(check: "b", result: .genuine(whole)),
          Finding(check: "d", result: .notAssessed(.noFace)),
        ])
      #expect(found?.wayOut == [1.5] && found?.wayBack == [])
      #expect(try await store.check(two)?.result?.findings == [])
      let image = StoredImage(
        kind: .reference, bytes: [1, 2], box: FaceBox(x: 0.1, y: 0.25, width: 0.3, height: 0.5))
      #expect(try await store.images(of: one) == [image])
    }
    try await look()
    #expect(try await ColumnReencryptionJob(store, keyring: keyring).run() == ColumnReencryptionJob.Outcome(sealed: 8))
    try await look()
  }
}
