internal import MienPlatform

/// Encrypts all values of ``EncryptedColumn``s under the newest key that are not under it yet.
///
/// A value is replaced only if it is unchanged since it was read, so that concurrent changes are preserved; completed
/// work remains valid if the job is interrupted.
public struct ColumnReencryptionJob: Sendable {
  /// The result of a run.
  public struct Outcome: Hashable, Sendable {
    /// Number of values encrypted.
    public var sealed = 0
    /// Number of values that cannot be decrypted with this keyring, because of damage or another keyring: they are left
    /// unchanged.
    public var strange = 0

    public init(sealed: Int = 0, strange: Int = 0) {
      self.sealed = sealed
      self.strange = strange
    }

    public static func + (one: Outcome, two: Outcome) -> Outcome {
      Outcome(sealed: one.sealed + two.sealed, strange: one.strange + two.strange)
    }
  }

  /// Number of records per statement.
  private static let window = 128

  private let store: any EncryptedColumnStore
  private let keyring: ColumnCipher
  private let whole: MasterKeyring

  public init(_ store: any EncryptedColumnStore, keyring: MasterKeyring) {
    self.store = store
    self.keyring = ColumnCipher(keyring)
    whole = keyring
  }

  /// Encrypts all values that are not under the newest key.
  public func run() async throws -> Outcome {
    var outcome = Outcome()
    for column in EncryptedColumn.all {
      guard let prefix = keyring.prefix(of: column) else { continue }
      let some = try await renew(column, notBeginningWith: prefix, atOnce: Self.atOnce(column)) { value in
        try keyring.renewed(value.bytes, column, of: value.record)
      }
      outcome = outcome + some
    }
    if outcome.sealed > 0 { try await store.purgeReplaced() }
    return outcome
  }

  /// Images and clips are large, so only a few are held in memory at once.
  private static func atOnce(_ column: EncryptedColumn) -> Int { column.isJSON ? 100 : 4 }

  /// Replaces the values for which `anew` returns a new value.
  private func renew(
    _ column: EncryptedColumn, notBeginningWith prefix: [UInt8]?, atOnce limit: Int,
    _ anew: (EncryptedValue) throws -> [UInt8]?
  ) async throws -> Outcome {
    var (outcome, last): (Outcome, [String]?) = (Outcome(), nil)
    while true {
      try Task.checkCancellation()
      let seen = try await store.values(
        of: column, notBeginningWith: prefix, after: last, window: Self.window, limit: limit)
      guard let next = seen.last else { return outcome }
      last = next
      var changes: [EncryptedReplacement] = []
      for value in seen.values {
        do {
          if let new = try anew(value) { changes.append(EncryptedReplacement(value, by: new)) }
        } catch let error as StoreError where error.code == .unavailable {
          outcome.strange += 1
        }
      }
      if !changes.isEmpty { outcome.sealed += try await store.replace(changes, of: column) }
    }
  }

  /// Re-encrypts secrets, message hints and states of running checks that are under older keys. Only while no server
  /// changes them.
  public func renewSecrets() async throws -> Outcome {
    var outcome = Outcome()
    for column in EncryptedColumn.secrets {
      let some = try await renew(column, notBeginningWith: nil, atOnce: 100) { value in
        try whole.renewed(value.bytes, secret: column, of: value.record)
      }
      outcome = outcome + some
    }
    if outcome.sealed > 0 { try await store.purgeReplaced() }
    return outcome
  }
}
