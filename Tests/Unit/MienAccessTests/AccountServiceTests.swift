import MienTestGenerators
import Foundation
import MienCore
import MienPlatform
import MienSecurity
import MienAccess
import MienStore
import MienTestSupport
import Testing

/// Sign-in and session expiration.
@Suite struct `Account service` {
  private static let password = "correct horse battery"

  private let clock = ManualClock()
  private let path: String
  private let times = OperationTimings()
  private let store: SQLiteStore
  private let keyring: MasterKeyring
  private let log: AuditLog
  private let settings: AccountSettings

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-accounts-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("mien.sqlite").path
    store = try SQLiteStore(path: path, times: times)
    keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    log = AuditLog(store: store, keyring: keyring, clock: clock)
    var settings = AccountSettings()
    settings.cost = try #require(ScryptParameters(logRounds: 2, blockSize: 1, parallelism: 1))
    settings.triesPerName = 3
    settings.triesPerAddress = 5
    self.settings = settings
  }

  private func accounts(_ realm: Realm = .live, seed: UInt64 = 1) -> AccountService {
    AccountService(
      store: store, clock: clock, audit: log, keyring: keyring, realm: realm, settings: settings,
      generator: SplitMixGenerator(seed: seed))
  }

  private func auditTrail() async throws -> [String] {
    try await log.records(after: 0, limit: 100).map {
      "\($0.entry.actor) \($0.entry.action.rawValue) \($0.entry.subject)"
    }
  }

  private func refusal(_ work: () async throws -> Void) async -> ServiceError? {
    await #expect(throws: ServiceError.self) { try await work() }
  }

  @Test func `a person signs in with the password and signs out`() async throws {
    let (accounts, elsewhere) = (accounts(), accounts(seed: 2))
    try await accounts.add("Anna", role: .verifier, password: Self.password, by: "test")
    let (secret, who) = try await accounts.signIn(name: "anna", password: Self.password, from: "192.0.2.1")
    #expect(who.name.text == "anna" && who.role == .verifier && who.realm == .live && who.actor == "user/anna")
    #expect(AccountService.isSession(secret) && secret.utf8.count == 56)
    #expect(try await accounts.signedIn(secret) == who)
    #expect(try await elsewhere.signedIn(secret) == who, "every server accepts the session")
    for forged in [secret + "x", String(secret.dropLast()) + "!", "mien_session_", ""] {
      #expect(try await accounts.signedIn(forged) == nil)
    }
    #expect(try await self.accounts(.sandbox).signedIn(secret) == nil)
    let other = try await accounts.signIn(name: "anna", password: Self.password, from: nil)
    #expect(other.secret != secret && other.signedIn.csrfToken != who.csrfToken)

    try await accounts.signOut(secret)
    #expect(try await accounts.signedIn(secret) == nil)
    clock.advance(by: .seconds(1))
    #expect(try await elsewhere.signedIn(secret) == nil, "at most a second later")
    #expect(try await accounts.signedIn(other.secret) != nil, "the other browser's session remains")
    try await accounts.signOut(secret)
    #expect(
      try await auditTrail() == [
        "test created-user user/anna/verifier", "user/anna signed-in user/anna", "user/anna signed-in user/anna",
        "user/anna signed-out user/anna",
      ])
  }

  @Test func `a wrong name and a wrong password are indistinguishable`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    var reasons: Set<String> = []
    for (name, password) in [
      ("anna", "wrong"), ("nobody", Self.password), ("not a name!", Self.password), ("", ""),
      ("anna", Self.password + String(repeating: "x", count: 1 << 16)),
    ] {
      let refused = await refusal { _ = try await accounts.signIn(name: name, password: password, from: nil) }
      #expect(refused?.code == .unauthorized)
      reasons.insert(refused?.reason ?? "")
    }
    #expect(reasons.count == 1)
    #expect(
      try await auditTrail().dropFirst() == [
        "anyone failed-sign-in user/anna", "anyone failed-sign-in user/unknown",
        "anyone failed-sign-in user/unknown", "anyone failed-sign-in user/unknown",
        "anyone failed-sign-in user/anna",
      ])
  }

  @Test func `attempts are counted per name and address for known and unknown names`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    for name in ["anna", "nobody"] {
      for _ in 0..<3 {
        #expect(
          await refusal { _ = try await accounts.signIn(name: name, password: "no", from: nil) }?.code == .unauthorized)
      }
      let late = await refusal { _ = try await accounts.signIn(name: name, password: Self.password, from: nil) }
      #expect(late?.code == .tooManyRequests && late?.retryAfter == 200, "18 attempts are added per hour")
    }
    for number in 0..<5 {
      let refused = await refusal {
        _ = try await accounts.signIn(name: "user\(number)", password: "no", from: "192.0.2.7")
      }
      #expect(refused?.code == .unauthorized)
    }
    clock.advance(by: .seconds(119))
    #expect(
      await refusal { _ = try await accounts.signIn(name: "bert", password: "no", from: "192.0.2.7") }?.code
        == .tooManyRequests, "30 attempts are added per hour")
    clock.advance(by: .seconds(81))
    #expect(
      try await accounts.signIn(name: "anna", password: Self.password, from: "192.0.2.8").signedIn.role == .operator)
  }

  /// Returns the outcomes of consecutive sign-in attempts with wrong passwords.
  private func outcomes(
    _ count: Int, _ accounts: AccountService, _ name: String, from address: String? = nil
  ) async -> [String] {
    var outcomes: [String] = []
    for _ in 0..<count {
      let refused = await refusal { _ = try await accounts.signIn(name: name, password: "no", from: address) }
      outcomes.append(refused?.code == .tooManyRequests ? "late" : refused?.code == .unauthorized ? "wrong" : "other")
    }
    return outcomes
  }

  @Test func `servers on one store share sign-in attempts and keep them across restarts`() async throws {
    let (accounts, elsewhere) = (accounts(), accounts(seed: 2))
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    for name in ["anna", "nobody"] {
      #expect(await outcomes(2, accounts, name) == ["wrong", "wrong"])
      #expect(await outcomes(2, elsewhere, name) == ["wrong", "late"])
      #expect(await outcomes(1, accounts, name) == ["late"])
      #expect(await outcomes(1, self.accounts(seed: 3), name) == ["late"])
    }
    #expect(await outcomes(3, accounts, "name0", from: "192.0.2.7") == ["wrong", "wrong", "wrong"])
    #expect(await outcomes(3, elsewhere, "name1", from: "192.0.2.7") == ["wrong", "wrong", "late"])
    #expect(await outcomes(1, self.accounts(seed: 3), "name2", from: "192.0.2.7") == ["late"])
    clock.advance(by: .seconds(200))
    #expect(await outcomes(2, self.accounts(seed: 3), "anna") == ["wrong", "late"])
    let late = await refusal { _ = try await elsewhere.signIn(name: "anna", password: Self.password, from: nil) }
    #expect(late?.retryAfter == 200)
  }

  @Test func `exhausted and invented names do not use up the attempts of others`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    for number in 0..<5 { #expect(await outcomes(1, accounts, "user\(number)", from: "192.0.2.7") == ["wrong"]) }
    #expect(await outcomes(5, accounts, "anna", from: "192.0.2.7") == [String](repeating: "late", count: 5))
    for number in 0..<12 { #expect(await outcomes(1, accounts, "name\(number)") == ["wrong"]) }
    #expect(await outcomes(4, accounts, "anna", from: "192.0.2.8") == ["wrong", "wrong", "wrong", "late"])
  }

  @Test func `rejected attempts cause no database statements`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    _ = await outcomes(6, accounts, "bert", from: "192.0.2.7")
    func statements() -> Int { times.read().values.reduce(0) { $0 + $1.counts.reduce(0, +) } }
    let before = statements()
    #expect(await outcomes(20, accounts, "anna", from: "192.0.2.7") == [String](repeating: "late", count: 20))
    #expect(statements() == before)
  }

  @Test func `typed input is never stored and expired attempts are deleted`() async throws {
    let accounts = accounts()
    _ = await outcomes(1, accounts, "typed-in-the-wrong-field", from: "192.0.2.77")
    let digests = [SecretDigest(of: "typed-in-the-wrong-field"), SecretDigest(of: "192.0.2.77")]
    let needles = [Data("wrong-field".utf8), Data("192.0.2.77".utf8)] + digests.map { Data($0.bytes) }
    for file in try ["", "-wal"].map({ try Data(contentsOf: URL(fileURLWithPath: path + $0)) }) {
      for needle in needles { #expect(file.range(of: needle) == nil) }
    }
    try await accounts.expireAndPurge()
    clock.advance(by: .seconds(600))
    try await accounts.expireAndPurge()
    #expect(try await store.purgeAttempts(at: clock.timeOfDay(), longest: .zero) == 0, "no bucket is left to delete")
  }

  @Test func `a session ends when idle and at its maximum age`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    let idle = try await accounts.signIn(name: "anna", password: Self.password, from: nil).secret
    clock.advance(by: .seconds(1799))
    #expect(try await accounts.signedIn(idle) != nil)
    clock.advance(by: .seconds(1799))
    #expect(try await accounts.signedIn(idle) != nil, "using a session extends it")
    clock.advance(by: .seconds(1801))
    #expect(try await accounts.signedIn(idle) == nil)

    let (used, who) = try await accounts.signIn(name: "anna", password: Self.password, from: nil)
    for _ in 0..<47 {
      clock.advance(by: .seconds(900))
      #expect(try await accounts.signedIn(used) != nil)
    }
    clock.advance(by: .seconds(899.5))
    #expect(try await accounts.signedIn(used) != nil)
    // Within the second for which the result is cached.
    clock.advance(by: .seconds(0.5))
    #expect(clock.timeOfDay() == who.expires)
    #expect(try await accounts.signedIn(used) == nil)
    try await accounts.expireAndPurge()
    #expect(try await store.session(SecretDigest(of: used)) == nil)
  }

  @Test func `sessions end with the password or the account`() async throws {
    let accounts = accounts()
    try await accounts.add("anna", role: .operator, password: Self.password, by: "test")
    let first = try await accounts.signIn(name: "anna", password: Self.password, from: nil).secret
    try await accounts.changePassword(of: "anna", to: "another long password", by: "test")
    #expect(try await accounts.signedIn(first) == nil)
    #expect(
      await refusal { _ = try await accounts.signIn(name: "anna", password: Self.password, from: nil) }?.code
        == .unauthorized)
    let second = try await accounts.signIn(name: "anna", password: "another long password", from: nil).secret
    try await accounts.remove("anna", by: "test")
    #expect(try await accounts.signedIn(second) == nil)
    #expect(await refusal { try await accounts.remove("anna", by: "test") }?.code == .notFound)
    #expect(try await accounts.accounts() == [])
  }

  @Test(arguments: [
    ("anna", "short"), ("anna", String(repeating: "x", count: 257)), ("anna", "with a zero\u{0} in it"),
    ("an na", password),
    ("", password), (String(repeating: "a", count: 65), password), ("ännä", password),
  ])
  func `invalid names and passwords are rejected`(name: String, password: String) async throws {
    let accounts = accounts()
    let refused = await refusal { try await accounts.add(name, role: .operator, password: password, by: "test") }
    #expect(refused?.code == .badValue)
    #expect(try await store.accounts() == [])
    #expect(try await auditTrail() == [])
  }
}

/// Password hashing.
@Suite struct `Password hashes` {
  private let salt = [UInt8](0..<16)

  @Test func `a hash verifies its password and contains salt and cost`() throws {
    let cheap = try #require(ScryptParameters(logRounds: 3, blockSize: 2, parallelism: 2))
    let hash = PasswordHash(of: "pass", salt: salt, cost: cheap)
    #expect(hash.matches("pass") && !hash.matches("Pass") && !hash.matches(""))
    #expect(hash.text.hasPrefix("$scrypt$ln=3,r=2,p=2$AAECAwQFBgcICQoLDA0ODw$") && hash.text.utf8.count == 87)
    let read = try #require(PasswordHash(text: hash.text))
    #expect(read == hash && read.matches("pass"))
    #expect(PasswordHash(of: "pass", salt: salt.reversed(), cost: cheap).text.suffix(43) != hash.text.suffix(43))
    #expect("\(hash)" == "PasswordHash(withheld)")
    var dumped = ""
    dump(hash, to: &dumped)
    #expect(!dumped.contains("ln") && !dumped.contains("0"))
  }

  @Test(arguments: [
    "", "$", "$scrypt$$$", "$scrypt$ln=99,r=8,p=1$AAECAwQFBgcICQoLDA0ODw$",
    "$scrypt$ln=3,r=2,p=2$AAECAwQFBgcICQoLDA0ODw$AA", "$scrypt$ln=3,r=2$AAECAwQFBgcICQoLDA0ODw$AA",
    "$scrypt$r=3,ln=2,p=2$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln=30,r=2,p=2$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$argon2$ln=3,r=2,p=2$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    "$scrypt$ln,r,p$AAECAwQFBgcICQoLDA0ODw$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  ])
  func `an invalid hash is rejected`(text: String) {
    #expect(PasswordHash(text: text) == nil)
  }
}
