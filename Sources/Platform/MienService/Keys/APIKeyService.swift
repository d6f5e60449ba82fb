public import MienCore
internal import Synchronization

/// Says whether an API key may do what it is shown for, and how often.
///
/// What is known of a key holds for a second: a key that is changed elsewhere is refused a second later at most, and one
/// that is changed here at once.
///
/// Every request comes by here, on whatever thread it is: what is known stands behind a lock that is held for a look only.
public final class APIKeyService: Sendable {
  private struct Known {
    let record: APIKeyRecord
    let until: MonotonicInstant
  }

  private struct State {
    var known: [SecretDigest: Known] = [:]
    var buckets: TokenBucketRateLimiter<SecretDigest>?
    var uses: [SecretDigest: UnixTime] = [:]
    var kept: MonotonicInstant
    /// Counts what was forgotten, so that what was read before is not remembered after.
    var forgotten = 0
  }

  private static let holds = Interval.seconds(1)
  private static let keepsUses = Interval.seconds(10)
  private static let maximumKnown = 1000

  private let ring: any APIKeyLookup
  private let clock: any ServiceClock
  private let audit: AuditLog?
  private let state: Mutex<State>

  /// - Parameter perSecond: how many requests a key may be shown with in a second, over time; nil is any number.
  public init(ring: any APIKeyLookup, clock: any ServiceClock, audit: AuditLog? = nil, perSecond: Int? = nil) {
    self.ring = ring
    self.clock = clock
    self.audit = audit
    let buckets = perSecond.map {
      TokenBucketRateLimiter<SecretDigest>(burst: max(1, $0 * 2), perHour: max(1, $0 * 3600))
    }
    state = Mutex(State(buckets: buckets, kept: clock.now()))
  }

  // MARK: - Admission

  /// The key's record. Refuses a key that is not good.
  @discardableResult
  public func authorize(_ key: String?) async throws -> APIKeyRecord {
    guard let key, key.utf8.count <= 256 else { throw Self.noKey }
    let record = try await record(of: SecretDigest(of: key))
    guard let record else { throw Self.noKey }
    guard record.isGood(at: clock.timeOfDay()) else {
      throw ServiceError(.unauthorized, "This API key has been revoked or its time is over. Use its successor.")
    }
    return record
  }

  /// The key's record, when it may be used for `scope` and has not been shown too often; counts as a use.
  ///
  /// - Parameter reading: true for what changes nothing.
  public func admit(_ key: String, for scope: APIKeyScope?, reading: Bool) async throws -> APIKeyRecord {
    let record = try await authorize(key)
    guard record.allows(scope, reading: reading) else {
      throw ServiceError(
        .forbidden, "This API key may not do that: it lacks the scope \"\(scope.map(\.rawValue) ?? "of everything")\".")
    }
    if let wait = use(record) {
      throw ServiceError(
        .tooManyRequests, "This API key has been shown too often just now. Try again after Retry-After.",
        retryAfter: wait.wholeSeconds)
    }
    return record
  }

  /// Counts a use of a key.
  ///
  /// - Returns: nil when it is granted, or else how long to wait for the next; that is no use then.
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
    let (found, forgotten) = state.withLock { ($0.known[digest], $0.forgotten) }
    if let found, now < found.until { return found.record }
    guard let record = try await ring.key(digest) else {
      state.withLock { $0.known[digest] = nil }
      return nil
    }
    state.withLock { state in
      if state.known.count >= Self.maximumKnown { state.known = state.known.filter { now < $0.value.until } }
      if state.known.count < Self.maximumKnown, state.forgotten == forgotten {
        state.known[digest] = Known(record: record, until: now + Self.holds)
      }
    }
    return record
  }

  private func forget(_ digest: SecretDigest) {
    state.withLock { state in
      state.known[digest] = nil
      state.forgotten += 1
    }
  }

  /// Keeps when keys were last shown. Call it every second or so.
  public func expireAndPurge() async throws {
    let now = clock.now()
    guard state.withLock({ now.since($0.kept) >= Self.keepsUses }) else { return }
    try await saveUses()
  }

  private func saveUses() async throws {
    let now = clock.now()
    let times = state.withLock { state in
      guard !state.uses.isEmpty else { return state.uses }
      let times = state.uses
      state.uses = [:]
      state.kept = now
      return times
    }
    if !times.isEmpty { try await ring.used(times) }
  }

  // MARK: - Keeping keys

  /// A key of 258 random bits that nobody keeps yet.
  public static func newKey(of space: Realm, using generator: inout some RandomNumberGenerator) -> String {
    RandomTokens.make(prefix: space.keyPrefix, count: 43, using: &generator)
  }

  /// Keeps the digest of a new key.
  ///
  /// - Parameters:
  ///   - scopes: nil is everything.
  ///   - lifetime: how long it is good; nil is for ever.
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
    try await audit?.add(.madeKey, of: record.id, by: actor)
    try await ring.add(record)
    return record
  }

  /// Keeps a new key that may do what an old one may, for as long; the old one is refused when `overlap` is over.
  public func replace(_ id: String, by key: String, overlap: Interval, actor: String) async throws -> APIKeyRecord {
    let old = try await find(id)
    let now = clock.timeOfDay()
    guard old.isGood(at: now) else {
      throw ServiceError(.badValue, "This key is not good any more; make a new one.")
    }
    let lifetime = old.expires.map { $0.milliseconds - old.created.milliseconds }
    let record = APIKeyRecord(
      digest: SecretDigest(of: key), name: old.name, scopes: old.scopes, created: now,
      expires: lifetime.map { UnixTime(milliseconds: now.milliseconds + $0) })
    try await audit?.add(.rotatedKey, of: "\(old.id)/\(record.id)", by: actor)
    try await ring.add(record)
    guard try await ring.expire(old.digest, at: now.adding(overlap)) else { throw Self.noSuchKey }
    forget(old.digest)
    return record
  }

  /// Refuses a key from now on.
  public func revoke(_ id: String, by actor: String) async throws {
    let record = try await find(id)
    try await audit?.add(.revokedKey, of: record.id, by: actor)
    forget(record.digest)
    guard try await ring.revoke(record.digest, at: clock.timeOfDay()) else { throw Self.noSuchKey }
    forget(record.digest)
  }

  /// All keys, oldest first.
  public func list() async throws -> [APIKeyRecord] {
    try await saveUses()
    return try await ring.keys()
  }

  private func find(_ id: String) async throws -> APIKeyRecord {
    guard let record = try await ring.keys().first(where: { $0.id == id }) else { throw Self.noSuchKey }
    return record
  }

  private static var noSuchKey: ServiceError {
    ServiceError(.notFound, "There is no key with this id, or it was revoked before.")
  }

  static var noKey: ServiceError {
    ServiceError(
      .unauthorized, "This needs an API key: send \"Authorization: Bearer mien_…\". ./run prints one on first start.")
  }
}
