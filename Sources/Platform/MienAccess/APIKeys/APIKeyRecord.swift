internal import MienCore
public import MienPlatform

/// An API key as stored: everything but the key itself.
public struct APIKeyRecord: Hashable, Sendable {
  /// Digest of the key as its owner sends it.
  public let digest: SecretDigest
  /// Display name; at most 64 characters.
  public var name: String?
  /// Permitted scopes; `nil` permits everything, as for keys that were created before scopes were introduced.
  public var scopes: Set<APIKeyScope>?
  public let created: UnixTime
  /// Time from which the key is rejected; `nil` if it does not expire.
  public var expires: UnixTime?
  /// Time at which the key was revoked.
  public var revoked: UnixTime?
  /// Time of the last use, to about ten seconds.
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

  /// ID of the key for display: `key_` and the first 16 digits of its digest, which reveal nothing of its 258 random
  /// bits.
  public var id: String { Self.prefix + Hexadecimal.encode(digest.bytes.prefix(8)) }

  static var prefix: String { "key_" }

  /// Returns `true` if the key is neither revoked nor expired.
  public func isGood(at time: UnixTime) -> Bool { revoked == nil && expires.map { time < $0 } != false }

  /// Returns `true` if the key may be used for `scope`; `nil` stands for operations that require a key without
  /// restrictions.
  public func allows(_ scope: APIKeyScope?, reading: Bool) -> Bool {
    guard let scopes else { return true }
    guard let scope else { return false }
    return scopes.contains(scope) || (reading && scope != .admin && scopes.contains(.read))
  }
}

/// Stores the permissions of API keys in addition to their digests.
public protocol APIKeyLookup: Sendable {
  /// Stores a key. Throws ``StoreError/Code/duplicate`` if it is already stored.
  func add(_ key: APIKeyRecord) async throws
  /// Returns the key with this digest, valid or not; `nil` if there never was one.
  func key(_ digest: SecretDigest) async throws -> APIKeyRecord?
  /// Returns all keys, oldest first, including those that are rejected.
  func keys() async throws -> [APIKeyRecord]
  /// Rejects a key from `time` on, unless it is rejected earlier; returns `false` if there is none.
  func expire(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool
  /// Revokes a key permanently; returns `false` if there is none or it was revoked before.
  func revoke(_ digest: SecretDigest, at time: UnixTime) async throws -> Bool
  /// Records when keys were last used. Keys that no longer exist are ignored, and stored times never decrease.
  func used(_ times: [SecretDigest: UnixTime]) async throws
}

/// A permission of an API key. A key has some of them, or all.
public enum APIKeyScope: String, Hashable, Sendable, CaseIterable {
  /// Checks, the people they belong to, and the compatible APIs that create checks.
  case checks
  /// Captures, devices and the verification of files.
  case captures
  /// Scans and their results.
  case scans
  /// Locked messages.
  case messages
  /// Webhooks.
  case webhooks
  /// Read-only access to the data of all other scopes except `admin`.
  case read
  /// Keys, the audit log and the server's metrics. A key with this scope can create keys with any other.
  case admin
}

/// Stores the digests of API keys.
public protocol APIKeyStore: Sendable {
  /// Returns `true` if no key was ever created.
  func hasNoKeys() async throws -> Bool
  /// Stores a key's digest. Throws ``StoreError/Code/duplicate`` if it is already stored.
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws
  /// Returns `true` if this key is stored.
  func hasKey(_ digest: SecretDigest) async throws -> Bool
}

/// Creates and stores API keys.
public struct APIKeyIssuer: Sendable {
  private let store: any APIKeyStore
  private let realm: Realm

  public init(store: any APIKeyStore, realm: Realm) {
    self.store = store
    self.realm = realm
  }

  /// Creates the first API key, or returns `nil` if there is one already.
  public func makeFirst(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> String? {
    guard try await store.hasNoKeys() else { return nil }
    return try await make(at: time, using: &generator)
  }

  /// Creates an API key with 258 random bits. Only its digest is stored.
  public func make(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> String {
    let key = RandomTokens.make(prefix: realm.keyPrefix, count: 43, using: &generator)
    try await store.addKey(SecretDigest(of: key), at: time)
    return key
  }
}
