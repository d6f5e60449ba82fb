public import MienPlatform
public import MienCore
internal import Synchronization

/// Authenticates API keys, checks their scopes and enforces per-key rate limits.
///
/// A key's record is cached for one second: a key that is changed on another server is rejected at most a second later,
/// and one that is changed here immediately.
///
/// Every request passes through here, on any thread: the cache is protected by a lock that is held only for a lookup.
public final class APIKeyService: Sendable {
  private struct Known {
    let record: APIKeyRecord
    let until: MonotonicInstant
  }

  private struct State {
    var known: [SecretDigest: Known] = [:]
    var buckets: TokenBucketRateLimiter<SecretDigest>?
    var uses: [SecretDigest: UnixTime] = [:]
    var lastSave: MonotonicInstant
    var generator: any RandomNumberGenerator & Sendable
    /// Number of invalidations: a record that was read before one of them is not cached after it.
    var invalidations = 0
  }

  private static let cacheDuration = Interval.seconds(1)
  private static let saveInterval = Interval.seconds(10)
  private static let maximumKnown = 1000

  private let realm: Realm
  private let ring: any APIKeyLookup
  private let clock: any ServiceClock
  private let audit: AuditLog?
  private let state: Mutex<State>

  /// - Parameter perSecond: maximum number of requests per second with one key, on average; `nil` for no limit.
  public init(
    _ realm: Realm = .live, ring: any APIKeyLookup, clock: any ServiceClock, audit: AuditLog? = nil,
    perSecond: Int? = nil, generator: any RandomNumberGenerator & Sendable
  ) {
    self.realm = realm
    self.ring = ring
    self.clock = clock
    self.audit = audit
    let buckets = perSecond.map {
      TokenBucketRateLimiter<SecretDigest>(burst: max(1, $0 * 2), perHour: max(1, $0 * 3600))
    }
    state = Mutex(State(buckets: buckets, lastSave: clock.now(), generator: generator))
  }

  // MARK: - Admission

  /// Returns the key's record. Throws if the key is not valid.
  @discardableResult
  public func authorize(_ key: String?) async throws -> APIKeyRecord {
    guard let key, key.utf8.count <= 256 else { throw Self.noKey }
    let record = try await record(of: SecretDigest(of: key))
    guard let record else { throw Self.noKey }
    guard record.isGood(at: clock.timeOfDay()) else {
      throw ServiceError(.unauthorized, "This API key was revoked or has expired. Use its successor.")
    }
    return record
  }

  /// Returns the key's record if it may be used for `scope` and has not exceeded its rate limit; counts as a use.
  ///
  /// - Parameter reading: `true` for operations that change nothing.
  public func admit(_ key: String, for scope: APIKeyScope?, reading: Bool) async throws -> APIKeyRecord {
    let record = try await authorize(key)
    guard record.allows(scope, reading: reading) else {
      throw ServiceError(
        .forbidden,
        "This API key may not do that: it lacks \(scope.map { "the scope \"\($0.rawValue)\"" } ?? "full access").")
    }
    if let wait = use(record) {
      throw ServiceError(
        .tooManyRequests, "There were too many requests with this API key. Try again after Retry-After.",
        retryAfter: wait.wholeSeconds)
    }
    return record
  }

  /// Counts a use of a key.
  ///
  /// - Returns: `nil` if it is permitted; otherwise the time until the next one is, and the use is not counted.
  private func use(_ record: APIKeyRecord) -> Interval? {
    let (now, time) = (clock.now(), clock.timeOfDay())
    return state.withLock { state in
      let wait = state.buckets?.take(for: record.digest, at: now)
      if wait == nil { state.uses[record.digest] = time }
      return wait
    }
  }

  private func record(of digest: SecretDigest) async throws -> APIKeyRecord? {
    let now = clock.now()
    let (found, invalidations) = state.withLock { ($0.known[digest], $0.invalidations) }
    if let found, now < found.until { return found.record }
    guard let record = try await ring.key(digest) else {
      state.withLock { $0.known[digest] = nil }
      return nil
    }
    state.withLock { state in
      if state.known.count >= Self.maximumKnown { state.known = state.known.filter { now < $0.value.until } }
      if state.known.count < Self.maximumKnown, state.invalidations == invalidations {
        state.known[digest] = Known(record: record, until: now + Self.cacheDuration)
      }
    }
    return record
  }

  private func remove(_ digest: SecretDigest) {
    state.withLock { state in
      state.known[digest] = nil
      state.invalidations += 1
    }
  }

  /// Saves the times at which keys were last used. Call it about once per second.
  public func expireAndPurge() async throws {
    let now = clock.now()
    guard state.withLock({ now.since($0.lastSave) >= Self.saveInterval }) else { return }
    try await saveUses()
  }

  private func saveUses() async throws {
    let now = clock.now()
    let times = state.withLock { state in
      guard !state.uses.isEmpty else { return state.uses }
      let times = state.uses
      state.uses = [:]
      state.lastSave = now
      return times
    }
    if !times.isEmpty { try await ring.used(times) }
  }

  // MARK: - Managing keys

  /// Returns a key with 258 random bits that is not stored yet.
  public static func newKey(of realm: Realm, using generator: inout some RandomNumberGenerator) -> String {
    RandomTokens.make(prefix: realm.keyPrefix, count: 43, using: &generator)
  }

  /// Creates a key; only its digest is stored.
  public func make(
    name: String?, scopes: Set<APIKeyScope>?, lifetime: Interval?, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await add(key, name: name, scopes: scopes, lifetime: lifetime, by: actor))
  }

  /// Creates the successor of a key; the old key stays valid for `overlap`.
  public func rotate(
    _ id: String, overlap: Interval, by actor: String
  ) async throws -> (key: String, record: APIKeyRecord) {
    let key = newKey()
    return (key, try await replace(id, by: key, overlap: overlap, actor: actor))
  }

  private func newKey() -> String { state.withLock { Self.newKey(of: realm, using: &$0.generator) } }

  /// Stores the digest of a new key.
  ///
  /// - Parameters:
  ///   - scopes: `nil` permits everything.
  ///   - lifetime: time until the key expires; `nil` for a key that does not expire.
  public func add(
    _ key: String, name: String?, scopes: Set<APIKeyScope>?, lifetime: Interval?, by actor: String
  ) async throws -> APIKeyRecord {
    guard name.map({ (1...64).contains($0.unicodeScalars.count) && !$0.utf8.contains(0) }) != false else {
      throw ServiceError(.badValue, "A key's name has 1 to 64 characters, none of them zero.")
    }
    guard scopes?.isEmpty != true else {
      throw ServiceError(
        .badValue, "A key needs a scope: \(APIKeyScope.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let now = clock.timeOfDay()
    let record = APIKeyRecord(
      digest: SecretDigest(of: key), name: name, scopes: scopes, created: now, expires: lifetime.map(now.adding))
    try await audit?.add(.createdKey, of: record.id, by: actor)
    try await ring.add(record)
    return record
  }

  /// Stores a new key with the permissions and the lifetime of an old one, which is rejected after `overlap`.
  public func replace(_ id: String, by key: String, overlap: Interval, actor: String) async throws -> APIKeyRecord {
    let old = try await find(id)
    let now = clock.timeOfDay()
    guard old.isGood(at: now) else {
      throw ServiceError(.badValue, "This key is no longer valid. Create a new one.")
    }
    let lifetime = old.expires.map { $0.milliseconds - old.created.milliseconds }
    let record = APIKeyRecord(
      digest: SecretDigest(of: key), name: old.name, scopes: old.scopes, created: now,
      expires: lifetime.map { UnixTime(milliseconds: now.milliseconds + $0) })
    try await audit?.add(.rotatedKey, of: "\(old.id)/\(record.id)", by: actor)
    try await ring.add(record)
    guard try await ring.expire(old.digest, at: now.adding(overlap)) else { throw Self.noSuchKey }
    remove(old.digest)
    return record
  }

  /// Revokes a key immediately.
  public func revoke(_ id: String, by actor: String) async throws {
    let record = try await find(id)
    try await audit?.add(.revokedKey, of: record.id, by: actor)
    remove(record.digest)
    guard try await ring.revoke(record.digest, at: clock.timeOfDay()) else { throw Self.noSuchKey }
    remove(record.digest)
  }

  /// Returns all keys, oldest first.
  public func list() async throws -> [APIKeyRecord] {
    try await saveUses()
    return try await ring.keys()
  }

  private func find(_ id: String) async throws -> APIKeyRecord {
    guard let record = try await ring.keys().first(where: { $0.id == id }) else { throw Self.noSuchKey }
    return record
  }

  private static var noSuchKey: ServiceError {
    ServiceError(.notFound, "There is no key with this ID, or it is already revoked.")
  }

  static var noKey: ServiceError {
    ServiceError(
      .unauthorized, "This needs an API key: send \"Authorization: Bearer mien_…\". ./run prints one on first start.")
  }
}
