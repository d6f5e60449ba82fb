public import MienCore

/// Keeps checks and their results.
///
/// What a method has acknowledged survives the death of the process.
public protocol CheckStore: Sendable {
  /// Keeps a new check. Throws ``StoreError/Code/duplicate`` when the id is taken.
  func create(_ check: CheckRecord) async throws

  /// The check and, when decided, its result; nil when there is none with this id.
  func check(_ id: CheckID) async throws -> (record: CheckRecord, result: CheckResult?)?

  /// Keeps the result together with the pictures, once, and counts it to the check's person and device under the rules
  /// (nil: it counts for nothing), all in one transaction: no crash loses a failure whose verdict is kept.
  ///
  /// Throws ``StoreError/Code/duplicate`` when there is a result already and ``StoreError/Code/missing`` when there is no
  /// such check; nothing of it is kept or counted then. The state that was kept of the check goes.
  ///
  /// - Parameter epoch: under which this server holds the check; nil decides it whoever holds it. Where the check is
  ///   another server's by now, it throws ``StoreError/Code/overtaken``.
  func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?,
    under epoch: Int?
  ) async throws

  /// Up to `limit` checks without a result that expired before `time`, oldest first.
  func expired(before time: UnixTime, limit: Int) async throws -> [CheckID]

  /// Erases up to `limit` checks decided before `time` with all that belongs to them; returns how many.
  func deleteChecks(decidedBefore time: UnixTime, limit: Int) async throws -> Int

  /// Erases a check with all that belongs to it, and counts it; nothing is counted when there was none.
  func delete(_ id: CheckID) async throws -> ErasureCounts
}

extension CheckStore {
  /// Keeps the result of a check once, and counts it for nothing.
  public func decide(_ id: CheckID, _ result: CheckResult, keeping images: [StoredImage] = []) async throws {
    try await decide(id, result, keeping: images, counting: nil, under: nil)
  }

  /// Keeps the result of a check once, whoever holds it.
  public func decide(
    _ id: CheckID, _ result: CheckResult, keeping images: [StoredImage], counting rules: LockoutSettings?
  ) async throws {
    try await decide(id, result, keeping: images, counting: rules, under: nil)
  }
}

/// Keeps the digests of API keys.
public protocol APIKeyStore: Sendable {
  /// True when no key was ever made.
  func hasNoKeys() async throws -> Bool
  /// Keeps a key's digest. Throws ``StoreError/Code/duplicate`` when it is there already.
  func addKey(_ digest: SecretDigest, at time: UnixTime) async throws
  /// True when this key was added.
  func hasKey(_ digest: SecretDigest) async throws -> Bool
}
