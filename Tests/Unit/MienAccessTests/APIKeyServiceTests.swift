import MienTestGenerators
import Foundation
import MienCore
import MienPlatform
import MienSecurity
import MienAccess
import MienStore
import MienTestSupport
import Testing

/// Scopes and rate limits of API keys.
@Suite struct `API key service` {
  private let clock = ManualClock()
  private let store: SQLiteStore
  private let log: AuditLog

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-keys-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
    let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 1, count: 32)))
    log = AuditLog(store: store, keyring: keyring, clock: clock)
  }

  private func apiKeys(perSecond: Int? = nil) -> APIKeyService {
    APIKeyService(
      ring: store, clock: clock, audit: log, perSecond: perSecond, generator: SplitMixGenerator(seed: 1))
  }

  @Test(arguments: APIKeyScope.allCases)
  func `a key allows the writes of its scope and all reads except administration`(scope: APIKeyScope)
    async throws
  {
    let apiKeys = apiKeys()
    _ = try await apiKeys.add("mien_one", name: nil, scopes: [scope], lifetime: nil, by: "test")
    for other in APIKeyScope.allCases {
      for reading in [true, false] {
        let isRight = other == scope || (scope == .read && reading && other != .admin)
        if isRight {
          _ = try await apiKeys.admit("mien_one", for: other, reading: reading)
        } else {
          let refusal = await #expect(throws: ServiceError.self) {
            try await apiKeys.admit("mien_one", for: other, reading: reading)
          }
          #expect(refusal?.code == .forbidden)
        }
      }
    }
    let refusal = await #expect(throws: ServiceError.self) {
      try await apiKeys.admit("mien_one", for: nil, reading: true)
    }
    #expect(refusal?.code == .forbidden, "operations without a scope require an unrestricted key")
  }

  @Test func `creates the first key once and stores its digest only`() async throws {
    let issuer = APIKeyIssuer(store: store, realm: .live)
    var generator = SplitMixGenerator(seed: 4)
    let key = try #require(try await issuer.makeFirst(at: clock.timeOfDay(), using: &generator))
    #expect(key.hasPrefix("mien_") && key.utf8.count == 48)
    #expect(
      try await issuer.makeFirst(at: clock.timeOfDay(), using: &generator) == nil, "the first key is created once")
    try await apiKeys().authorize(key)
    for wrong in [nil, "", key + "x", String(key.dropLast())] {
      let error = await #expect(throws: ServiceError.self) { try await apiKeys().authorize(wrong) }
      #expect(error?.code == .unauthorized)
    }
  }

  @Test func `unknown, expired, revoked and changed keys are rejected within a second`() async throws {
    let (apiKeys, elsewhere) = (apiKeys(), apiKeys())
    var refusal = await #expect(throws: ServiceError.self) { try await apiKeys.authorize("mien_none") }
    #expect(refusal?.code == .unauthorized)
    refusal = await #expect(throws: ServiceError.self) { try await apiKeys.authorize(nil) }
    #expect(refusal?.code == .unauthorized)

    let short = try await apiKeys.add("mien_short", name: nil, scopes: nil, lifetime: .seconds(10), by: "test")
    let long = try await apiKeys.add("mien_long", name: nil, scopes: nil, lifetime: nil, by: "test")
    try await apiKeys.authorize("mien_short")
    try await apiKeys.authorize("mien_long")
    clock.advance(by: .seconds(10))
    await #expect(throws: ServiceError.self) { try await apiKeys.authorize("mien_short") }
    try await elsewhere.revoke(long.id, by: "test")
    clock.advance(by: .seconds(1))
    await #expect(throws: ServiceError.self) { try await apiKeys.authorize("mien_long") }
    await #expect(throws: ServiceError.self) {
      try await apiKeys.replace(short.id, by: "mien_x", overlap: .zero, actor: "t")
    }
    #expect(try await log.records(after: 0, limit: 9).map(\.entry.action) == [.createdKey, .createdKey, .revokedKey])
  }

  @Test func `a rotated key has the same scope and lifetime and the old key ends after the overlap`() async throws {
    let apiKeys = apiKeys()
    let old = try await apiKeys.add("mien_old", name: "till", scopes: [.checks], lifetime: .seconds(100), by: "test")
    clock.advance(by: .seconds(50))
    let new = try await apiKeys.replace(old.id, by: "mien_new", overlap: .seconds(5), actor: "test")
    #expect(new.scopes == [.checks] && new.name == "till")
    #expect(new.expires == new.created.adding(.seconds(100)))
    try await apiKeys.authorize("mien_old")
    clock.advance(by: .seconds(5))
    await #expect(throws: ServiceError.self) { try await apiKeys.authorize("mien_old") }
    try await apiKeys.authorize("mien_new")
  }

  @Test func `the request rate of a key is limited and the retry delay is reported`() async throws {
    let apiKeys = apiKeys(perSecond: 2)
    _ = try await apiKeys.add("mien_one", name: nil, scopes: nil, lifetime: nil, by: "test")
    for _ in 0..<4 { _ = try await apiKeys.admit("mien_one", for: .checks, reading: true) }
    let refusal = await #expect(throws: ServiceError.self) {
      try await apiKeys.admit("mien_one", for: .checks, reading: true)
    }
    #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == 1)
    clock.advance(by: .seconds(1))
    _ = try await apiKeys.admit("mien_one", for: .checks, reading: true)
  }

  @Test func `the time of last use is stored periodically`() async throws {
    let apiKeys = apiKeys()
    let key = try await apiKeys.add("mien_one", name: nil, scopes: nil, lifetime: nil, by: "test")
    clock.advance(by: .seconds(3))
    _ = try await apiKeys.admit("mien_one", for: .checks, reading: true)
    try await apiKeys.expireAndPurge()
    #expect(try await store.key(key.digest)?.lastUsed == nil, "not stored on every use")
    clock.advance(by: .seconds(10))
    try await apiKeys.expireAndPurge()
    #expect(try await store.key(key.digest)?.lastUsed == key.created.adding(.seconds(3)))
  }
}

/// Rate limits per IP address.
@Suite struct `Rate limits per address` {
  private let clock = ManualClock()

  @Test func `requests and wrong keys are counted separately for each address`() async throws {
    let apiKeys = IPRateLimiter(clock: clock, perSecond: 1, wrongKeysPerMinute: 2)
    for _ in 0..<5 { try apiKeys.admit("a") }
    let refusal = #expect(throws: ServiceError.self) { try apiKeys.admit("a") }
    #expect(refusal?.code == .tooManyRequests && refusal?.retryAfter == 1)
    try apiKeys.admit("b")
    for _ in 0..<2 { try apiKeys.countWrongKey(of: "a") }
    for _ in 0..<2 {
      let refusal = #expect(throws: ServiceError.self) { try apiKeys.countWrongKey(of: "a") }
      #expect(refusal?.code == .tooManyRequests)
    }
    try apiKeys.countWrongKey(of: "b")
    clock.advance(by: .seconds(31))
    try apiKeys.countWrongKey(of: "a")
  }
}
