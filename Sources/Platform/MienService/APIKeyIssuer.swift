/// Makes API keys.
public struct APIKeyIssuer: Sendable {
  private let store: any APIKeyStore
  private let space: Realm

  public init(store: any APIKeyStore, space: Realm) {
    self.store = store
    self.space = space
  }

  /// Makes an API key of 258 random bits. It is not kept, only its digest.
  public func make(at time: UnixTime, using generator: inout some RandomNumberGenerator) async throws -> String {
    let key = RandomTokens.make(prefix: space.keyPrefix, count: 43, using: &generator)
    try await store.addKey(SecretDigest(of: key), at: time)
    return key
  }
}
