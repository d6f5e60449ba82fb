import MienCore
import MienPlatform
import MienChecks
import MienTestSupport
import Testing

@testable import MienStore

@Suite(.enabled(if: PostgresServer.isInstalled)) struct `PostgreSQL store` {
  private func open(_ more: String = "") async throws -> PostgresStore {
    try await PostgresStore(PostgresServer.shared.get().address(more))
  }

  @Test func `a full disk is reported`() async throws {
    let store = try await open()
    try await store.checkFreeSpace()
    await #expect {
      try await store.write("Storing it") { db in
        // The server's error if a table cannot grow.
        try db.script("DO $$ BEGIN RAISE EXCEPTION 'the disk is full' USING ERRCODE = 'disk_full'; END $$")
      }
    } throws: { error in
      (error as? StoreError)?.code == .unavailable && "\(error)".contains("disk is full")
    }
    #expect(try await store.accounts().isEmpty, "existing data is readable")
    await #expect(throws: StoreError.self) { try await store.checkFreeSpace() }
    try await store.reach()
  }
  @Test func `conforms to the contracts behind a transaction pooler`() async throws {
    try await checkCheckStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkLockoutStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkCaptureStore { try await open("&pgbouncer=true&connection_limit=2") }
    try await checkScanStore { try await open("&pgbouncer=true&connection_limit=2") }
  }

  @Test func `servers that start concurrently create the schema once`() async throws {
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

  @Test func `realms have separate records`() async throws {
    let address = try PostgresServer.shared.get().address()
    let (live, sandbox) = (try await PostgresStore(address), try await PostgresStore(address, realm: .sandbox))
    try await live.create(try sampleCheck())
    #expect(try await sandbox.check(try sampleCheck().id) == nil)
    #expect(try await PostgresStore(address).check(try sampleCheck().id)?.record == (try sampleCheck()))
  }

  @Test func `texts of any characters are read back unchanged`() async throws {
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

  @Test func `work beyond the connection limit waits`() async throws {
    let store = try await open("&connection_limit=2")
    try await withThrowingTaskGroup { group in
      for number in 0..<60 { group.addTask { try await store.create(try sampleCheck("chk_\(number)")) } }
      try await group.waitForAll()
    }
    #expect(try await store.expired(before: UnixTime(milliseconds: .max), limit: 100).count == 60)
  }

  @Test func `a database restart fails work in progress and then recovers`() async throws {
    let server = try PostgresServer()
    let address = try server.address()
    let store = try await PostgresStore(address)
    try await store.create(try sampleCheck("chk_before"))
    try server.send("stop")
    let error = await #expect(throws: StoreError.self) { try await store.create(try sampleCheck("chk_between")) }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains(PostgresServer.password) == false)
    try server.send("start")
    try await store.create(try sampleCheck("chk_after"))
    for name in ["chk_before", "chk_after"] {
      #expect(try await store.check(try #require(CheckID(name))) != nil)
    }
    #expect(try await store.check(try #require(CheckID("chk_between"))) == nil)
  }

  @Test func `a connection closed by the server is replaced transparently`() async throws {
    let store = try await open("&connection_limit=1")
    let number: Int64 = try await store.read("Test") { db in try db.count("SELECT pg_backend_pid() AS count") }
    let other = try await open()
    _ = try await other.read("Test") { db in try db.rows("SELECT pg_terminate_backend($1::int, 60000)", [number]) }
    try await store.create(try sampleCheck())
    #expect(try await store.check(try sampleCheck().id) != nil)
  }

  @Test func `a failed transaction leaves nothing and its connection remains usable`() async throws {
    let store = try await open("&connection_limit=1")
    await #expect(throws: PostgresError(.refused("22012"))) {
      try await store.pool.run(.transaction, as: "test") { db in
        try db.change(
          "INSERT INTO mien.api_key (digest, created_ms) VALUES ($1, 1)", [[UInt8](repeating: 1, count: 32)])
        try db.change("SELECT 1 / 0")
      }
    }
    #expect(try await store.hasNoKeys())
  }

  @Test func `a migration has no statement timeout and other statements have one`() async throws {
    let pool = try await open("&connection_limit=1").pool
    try await pool.run(.statement, as: "test") { db in try db.script("SET statement_timeout = '700ms'") }
    let slowStatement = "SELECT 1 AS one FROM pg_sleep(1)"
    try await pool.run(.transaction, as: "test") { db in
      try db.withoutStatementTimeout { db in _ = try db.rows(slowStatement) }
    }
    await #expect(throws: PostgresError(.refused("57014")), "a later statement in the transaction") {
      try await pool.run(.transaction, as: "test") { db in
        try db.withoutStatementTimeout { db in _ = try db.rows("SELECT 1 AS one") }
        _ = try db.rows(slowStatement)
      }
    }
    await #expect(throws: PostgresError(.refused("57014")), "a statement after the transaction") {
      try await pool.run(.statement, as: "test") { db in _ = try db.rows(slowStatement) }
    }
  }

  @Test func `a snapshot stored after its check was decided is deleted at the server's next heartbeat`() async throws {
    let store = try await open()
    let (awaited, decided) = (try sampleCheck("chk_awaited"), try sampleCheck("chk_decided"))
    for check in [awaited, decided] { try await store.create(check) }
    try await store.decide(decided.id, sampleResult())
    // As by a statement that saw the check before it was decided.
    _ = try await store.write("Test") { db in
      try db.change(
        """
        INSERT INTO mien.live_snapshot (check_id, server, epoch, renewed_ms, state, state_ms)
        SELECT id, 'server', 1, 1, decode(repeat('00', 40), 'hex'), 1 FROM mien.liveness_check
        """)
    }
    func kept() async throws -> [String] {
      try await store.read("Test") { db in
        try db.rows("SELECT check_id FROM mien.live_snapshot ORDER BY check_id").map { try $0["check_id"] as String }
      }
    }
    #expect(try await kept() == ["chk_awaited", "chk_decided"])
    try await store.heartbeat()
    #expect(try await kept() == ["chk_awaited"])
    #expect(try await store.check(decided.id)?.result == (try sampleResult()))
  }

  @Test func `errors contain the code and never a value`() async throws {
    let store = try await open()
    try await store.create(try sampleCheck())
    let twice = await #expect(throws: StoreError.self) { try await store.create(try sampleCheck()) }
    #expect(twice?.code == .duplicate)
    #expect(twice?.reason.contains("ada") == false && twice?.reason.contains("chk_1") == false)
    let refused = await #expect(throws: StoreError.self) {
      try await store.write("Trying") { db in
        try db.execute("INSERT INTO mien.api_key (digest, created_ms) VALUES ($1, 1)", [Array("secret".utf8)])
      }
    }
    #expect(refused?.reason == "Trying failed: PostgreSQL 23514.")
  }

  @Test func `an unreachable database is reported with its address and without the password`() async throws {
    let address = try #require(PostgresURL("postgres://ada:swordfish-41@/no?host=/nowhere/at/all&port=5499"))
    let error = await #expect(throws: StoreError.self) { _ = try await PostgresStore(address) }
    #expect(error?.code == .unavailable)
    #expect(error?.reason.contains("/nowhere/at/all") == true && error?.reason.contains("5499") == true)
    #expect(error?.reason.contains("swordfish") == false)
  }
}
