/// What is kept of an API key: everything but the key.
public struct APIKeyRecord: Hashable, Sendable {
  /// Of the key as its owner sends it.
  public let digest: SecretDigest
  /// What people call it; at most 64 characters.
  public var name: String?
  /// What it may be used for; nil is everything, as keys had that were made before there were scopes.
  public var scopes: Set<APIKeyScope>?
  public let created: UnixTime
  /// From when on it is refused; nil never is.
  public var expires: UnixTime?
  /// Since when it is refused because somebody said so.
  public var revoked: UnixTime?
  /// When it was last shown, to about ten seconds.
  public var lastUsed: UnixTime?

  public init(
    digest: SecretDigest, name: String? = nil, scopes: Set<APIKeyScope>? = nil, created: UnixTime,
    expires: UnixTime? = nil, revoked: UnixTime? = nil, lastUsed: UnixTime? = nil
  ) {
    self.digest = digest
    self.name = name
    self.scopes = scopes
    self.created = created
    self.expires = expires
    self.revoked = revoked
    self.lastUsed = lastUsed
  }

  /// Names the key where it must not be shown: `key_` and the first 16 digits of its digest, which gives nothing away of
  /// 258 random bits.
  public var id: String { Self.prefix + Hexadecimal.encode(digest.bytes.prefix(8)) }

  static var prefix: String { "key_" }

  /// True while the key is good.
  public func isGood(at time: UnixTime) -> Bool { revoked == nil && expires.map { time < $0 } != false }

  /// True when the key may be used for this; nil is what only a key with everything may do.
  public func allows(_ scope: APIKeyScope?, reading: Bool) -> Bool {
    guard let scopes else { return true }
    guard let scope else { return false }
    return scopes.contains(scope) || (reading && scope != .admin && scopes.contains(.read))
  }
}

/// Keeps what API keys may be used for, beside their digests.
public protocol APIKeyLookup: Sendable {
  /// Keeps a key. Throws ``StoreError/Code/duplicate`` when it is there already.
  func add(_ key: APIKeyRecord) async throws
  /// The key of this digest, good or not; nil when there never was one.
  func key(_ digest: SecretDigest) async throws -> APIKeyRecord?
  /// All keys, oldest first, those that are refused among them.
  func keys() async throws -> [APIKeyRecord]
  /// Refuses a key from `time` on, unless it is refused sooner; false when there is none.
  func expire(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool
  /// Refuses a key for good; false when there is none or it was revoked before.
  func revoke(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool
  /// Notes when keys were last shown. What is not there any more is passed over, and no time goes back.
  func used(_ times: [SecretDigest: UnixTime]) async throws
}
