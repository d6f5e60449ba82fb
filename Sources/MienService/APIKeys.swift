/// Makes API keys.
public struct APIKeys: Sendable {
  private let store: any KeyStore
  private let space: Space

  public init(store: any KeyStore, space: Space) {
    self.store = store
    self.space = space
  }

  /// Makes an API key of 258 random bits. It is not kept, only its digest.
  public func make(at time: UnixTime, using dice: inout some RandomNumberGenerator) async throws -> String {
    let key = Secrets.make(prefix: space.keyPrefix, count: 43, using: &dice)
    try await store.addKey(SecretDigest(of: key), at: time)
    return key
  }
}
