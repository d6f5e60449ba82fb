internal import MienCore
public import MienPlatform

/// Stores the digests of API keys.
public protocol APIKeyStore: Sendable {
  /// Returns `true` if no key was ever created.
  func hasNoKeys() async throws -> Bool
  /// Stores a key's digest. Throws ``StoreError/Code/duplicate`` if it is already stored.
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws
  /// Returns `true` if this key is stored.
  func hasKey(_ digest: SecretDigest) async throws -> Bool
}
