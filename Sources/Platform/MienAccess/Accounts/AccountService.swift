public import MienPlatform
public import MienSecurity
internal import Crypto
internal import MienCore

/// Signs users in and out, authenticates their sessions, and manages the accounts of a realm.
///
/// A session is cached for one second, like an API key: one that ends on another server is rejected at most a second
/// later.
public actor AccountService {
  private struct Known {
    let signedIn: AuthenticatedSession
    let end: UnixTime
    let until: MonotonicInstant
  }

  private static let cacheDuration = Interval.seconds(1)
  /// Minimum interval between stored updates of a session's last use, in milliseconds.
  private static let touchInterval: Int64 = 60_000
  private static let purgeInterval = Interval.seconds(600)
  private static let maximumKnown = 1000
  private static let secretLength = 43
  /// Allowed length of a password, in bytes of UTF-8.
  private static let passwordBytes = 12...256

  private nonisolated let store: any AccountStore
  private nonisolated let clock: any ServiceClock
  private nonisolated let audit: AuditLog?
  private nonisolated let realm: Realm
  private nonisolated let settings: AccountSettings
  private let hashing = DerivationQueue(
    "mien.passwords", capacity: 16,
    full: ServiceError(.busy, "Too many people are signing in right now. Try again shortly.", retryAfter: 5))
  private var randomness: any RandomNumberGenerator & Sendable
  private nonisolated let rateLimits: SignInRateLimitKeys
  private var exhaustedBuckets = ExhaustedBucketCache()
  private var lastPurge: UnixTime?
  private var known: [SecretDigest: Known] = [:]
  /// Number of invalidations: a session that was read before one of them is not cached after it.
  private var invalidations = 0
  /// Hash that passwords are compared with if the account does not exist.
  private var cachedPlaceholder: PasswordHash?

  /// - Parameter keyring: the same for all servers on the store. Without it, anyone who has the database can find out
  ///   which addresses tried to sign in; commands do not sign users in and need none.
  public init(
    store: any AccountStore, clock: any ServiceClock, audit: AuditLog? = nil, keyring: MasterKeyring? = nil,
    realm: Realm = .live,
    settings: AccountSettings = AccountSettings(), generator: any RandomNumberGenerator & Sendable
  ) {
    self.store = store
    self.clock = clock
    self.audit = audit
    self.realm = realm
    self.settings = settings
    self.randomness = generator
    rateLimits = SignInRateLimitKeys(settings, keyring)
  }

  // MARK: - Sessions

  /// Returns `true` if the text has the format of a session cookie, valid or not. API keys are shorter and never match.
  public static func isSession(_ secret: String) -> Bool { Realm.allCases.contains { isSession(secret, of: $0) } }

  private static func isSession(_ secret: String, of realm: Realm) -> Bool {
    let prefix = realm.sessionPrefix
    return secret.hasPrefix(prefix) && secret.utf8.count == prefix.utf8.count + secretLength
  }

  /// Signs in a user with a password.
  ///
  /// - Parameter address: IP address to count the attempt for; `nil` counts it for the name only.
  /// - Throws: ``ServiceError``: `unauthorized`, identical and after the same time whether the name or the password is
  ///   wrong; `tooManyRequests`.
  public func signIn(
    name: String, password: String, from address: String?
  ) async throws -> (secret: String, signedIn: AuthenticatedSession) {
    let account = AccountName(name)
    if let address { try await count(rateLimits.of(address: address)) }
    let found = if let account { try await store.account(account) } else { Account?.none }
    // A blocked address does not use up a name's attempts. All texts that are not valid names share one bucket.
    try await count(found.map { rateLimits.of(name: $0.name) } ?? rateLimits.of(unknownName: account?.text ?? ""))
    let isShort = password.utf8.count <= Self.passwordBytes.upperBound
    let hash = if let found { found.password } else { try await placeholderHash() }
    let isRight = try await hashing.run { hash.matches(isShort ? password : "") }
    guard let found, isRight, isShort else {
      // The text entered as a name may be anything, even a password, and is not logged.
      try await audit?.add(
        .failedSignIn, of: "user/\(found?.name.text ?? "unknown")", by: AuditActorKind.anyone.actor())
      throw Self.wrong
    }
    let secret = RandomTokens.make(prefix: realm.sessionPrefix, count: Self.secretLength, using: &randomness)
    let now = clock.timeOfDay()
    let session = AccountSession(
      digest: SecretDigest(of: secret), account: found.name, created: now, seen: now,
      expires: now.adding(settings.lifetime))
    do {
      try await store.addSession(session, whileItsPasswordIs: found.password)
    } catch let error as StoreError where error.code == .missing {
      throw Self.wrong
    }
    let signedIn = signedIn(session, found, secret: secret)
    try await audit?.add(.signedIn, of: signedIn.actor, by: signedIn.actor)
    return (secret, signedIn)
  }

  /// Returns the session of a cookie's secret; `nil` if it is invalid or has ended. Counts as a use of the session.
  public func signedIn(_ secret: String) async throws -> AuthenticatedSession? {
    guard Self.isSession(secret, of: realm) else { return nil }
    let digest = SecretDigest(of: secret)
    let (now, time) = (clock.now(), clock.timeOfDay())
    if let found = known[digest], now < found.until { return time < found.end ? found.signedIn : nil }
    known[digest] = nil
    let invalidationsBefore = invalidations
    guard let (session, account) = try await store.session(digest) else { return nil }
    let end = min(session.expires, session.seen.adding(settings.idle))
    guard time < end else {
      _ = try await store.endSession(digest)
      return nil
    }
    if time.milliseconds - session.seen.milliseconds >= Self.touchInterval {
      try await store.touchSession(digest, at: time)
    }
    let signedIn = signedIn(session, account, secret: secret)
    if known.count >= Self.maximumKnown { known = known.filter { now < $0.value.until } }
    if known.count < Self.maximumKnown, invalidations == invalidationsBefore {
      known[digest] = Known(signedIn: signedIn, end: session.expires, until: now + Self.cacheDuration)
    }
    return signedIn
  }

  /// Ends a session.
  public func signOut(_ secret: String) async throws {
    guard let who = try await signedIn(secret) else { return }
    let digest = SecretDigest(of: secret)
    try await audit?.add(.signedOut, of: who.actor, by: who.actor)
    _ = try await store.endSession(digest)
    known[digest] = nil
    invalidations += 1
  }

  /// Deletes ended sessions and full buckets of sign-in attempts, once in ten minutes. Call it about once per second.
  public func expireAndPurge() async throws {
    let now = clock.timeOfDay()
    guard lastPurge.map({ $0.adding(Self.purgeInterval) <= now }) != false else { return }
    lastPurge = now
    _ = try await store.purgeSessions(
      expiredBy: now, idleSince: now.adding(Interval(nanoseconds: -settings.idle.nanoseconds)))
    exhaustedBuckets.removeExpired(at: clock.now())
    _ = try await store.purgeAttempts(at: now, longest: SignInRateLimitKeys.longest)
  }

  /// Counts an attempt in the store, for all servers; skips the store if this server knows that the bucket is empty.
  private func count(_ bucket: SignInRateLimit) async throws {
    let now = clock.now()
    if let wait = exhaustedBuckets.wait(for: bucket, at: now) { throw Self.tooMany(wait) }
    guard let wait = try await store.takeTry(of: bucket, at: clock.timeOfDay()) else { return }
    exhaustedBuckets.note(bucket, for: wait, at: now)
    throw Self.tooMany(wait)
  }

  private static func tooMany(_ wait: Interval) -> ServiceError {
    ServiceError(
      .tooManyRequests, "Too many attempts to sign in. Try again after Retry-After.", retryAfter: wait.wholeSeconds)
  }

  private func placeholderHash() async throws -> PasswordHash {
    if let cachedPlaceholder { return cachedPlaceholder }
    let (salt, cost) = (newSalt(), settings.cost)
    let made = try await hashing.run { PasswordHash(of: "", salt: salt, cost: cost) }
    cachedPlaceholder = made
    return made
  }

  private func signedIn(_ session: AccountSession, _ account: Account, secret: String) -> AuthenticatedSession {
    let code = HMAC<SHA256>.authenticationCode(
      for: Array("mien csrf".utf8), using: SymmetricKey(data: Array(secret.utf8)))
    return AuthenticatedSession(
      name: account.name, role: account.role, realm: realm, csrfToken: Base64URL.encode(Array(code)),
      expires: session.expires)
  }

  private static var wrong: ServiceError {
    ServiceError(.unauthorized, "The name or the password is wrong.")
  }

  // MARK: - Accounts

  /// Returns all accounts, sorted by name.
  public func accounts() async throws -> [Account] { try await store.accounts() }

  /// Creates an account.
  public func add(_ name: String, role: AccountRole, password: String, by actor: String) async throws {
    let name = try Self.name(name)
    let hash = try await hash(password)
    let now = clock.timeOfDay()
    try await audit?.add(.createdUser, of: "user/\(name)/\(role.rawValue)", by: actor)
    do {
      try await store.addAccount(Account(name: name, role: role, password: hash, created: now, changed: now))
    } catch let error as StoreError where error.code == .duplicate {
      throw ServiceError(.badValue, "The user \(name) already exists.")
    }
  }

  /// Changes a password and ends all sessions that used the old one.
  public func changePassword(of name: String, to password: String, by actor: String) async throws {
    let name = try await existing(name)
    let hash = try await hash(password)
    try await audit?.add(.changedPassword, of: "user/\(name)", by: actor)
    guard try await store.changePassword(of: name, to: hash, at: clock.timeOfDay()) else { throw Self.noUser(name) }
    known = [:]
    invalidations += 1
  }

  /// Deletes an account and ends its sessions.
  public func remove(_ name: String, by actor: String) async throws {
    let name = try await existing(name)
    try await audit?.add(.deletedUser, of: "user/\(name)", by: actor)
    guard try await store.removeAccount(name) else { throw Self.noUser(name) }
    known = [:]
    invalidations += 1
  }

  private func existing(_ name: String) async throws -> AccountName {
    let name = try Self.name(name)
    guard try await store.account(name) != nil else { throw Self.noUser(name) }
    return name
  }

  private func hash(_ password: String) async throws -> PasswordHash {
    guard Self.passwordBytes.contains(password.utf8.count), !password.utf8.contains(0) else {
      throw ServiceError(
        .badValue,
        "A password has \(Self.passwordBytes.lowerBound) to \(Self.passwordBytes.upperBound) bytes, none of them zero.")
    }
    let (salt, cost) = (newSalt(), settings.cost)
    return try await hashing.run { PasswordHash(of: password, salt: salt, cost: cost) }
  }

  private func newSalt() -> [UInt8] { (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &randomness) } }

  private static func name(_ text: String) throws -> AccountName {
    guard let name = AccountName(text) else {
      throw ServiceError(.badValue, "A user's name has 1 to 64 characters of a–z 0–9 - _ .")
    }
    return name
  }

  private static func noUser(_ name: AccountName) -> ServiceError {
    ServiceError(.notFound, "There is no user \(name).")
  }
}
