public import MienModel

/// Keeps checks and their results.
///
/// What a method has acknowledged survives the death of the process.
public protocol CheckStore: Sendable {
  /// Keeps a new check. Throws ``StoreError/Code/duplicate`` when the id is taken.
  func create(_ check: CheckRecord) async throws

  /// The check and, when decided, its result; nil when there is none with this id.
  func check(_ id: SessionID) async throws -> (record: CheckRecord, result: CheckResult?)?

  /// Keeps the result, once. Throws ``StoreError/Code/duplicate`` when there is one already and
  /// ``StoreError/Code/missing`` when there is no such check.
  func decide(_ id: SessionID, _ result: CheckResult) async throws

  /// Up to `limit` checks without a result that expired before `time`, oldest first.
  func expired(before time: UnixTime, limit: Int) async throws -> [SessionID]
}

/// Keeps the digests of API keys.
public protocol KeyStore: Sendable {
  /// True when no key was ever made.
  func hasNoKeys() async throws -> Bool
  /// Keeps a key's digest. Throws ``StoreError/Code/duplicate`` when it is there already.
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws
  /// True when this key was added.
  func hasKey(_ digest: SecretDigest) async throws -> Bool
}
