public import MienPlatform

/// Creates and stores API keys.
public struct APIKeyIssuer: Sendable {
  private let store: any APIKeyStore
  private let space: Realm

  public init(store: any APIKeyStore, space: Realm) {
    self.store = store
    self.space = space
  }

  /// Creates the first API key, or returns `nil` if there is one already.
  public func makeFirst(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> String? {
    guard try await store.hasNoKeys() else { return nil }
    return try await make(at: time, using: &generator)
  }

  /// Creates an API key with 258 random bits. Only its digest is stored.
  public func make(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> String {
    let key = RandomTokens.make(prefix: space.keyPrefix, count: 43, using: &generator)
    try await store.addKey(SecretDigest(of: key), at: time)
    return key
  }
}
