/// Seals the values of ``EncryptedColumn``s that lie in a store open or under an older key, beside servers at work.
///
/// A value is replaced only while it is the one that was read, so that nothing that changes meanwhile is lost; what was done is
/// done, whenever this ends.
public struct ColumnReencryptionJob: Sendable {
  /// What a sweep did.
  public struct Outcome: Hashable, Sendable {
    /// How many values it sealed.
    public var sealed = 0
    /// How many open with no key of this seal, damaged or another seal's: they stay as they are.
    public var strange = 0

    public init(sealed: Int = 0, strange: Int = 0) {
      self.sealed = sealed
      self.strange = strange
    }

    public static func + (one: Outcome, two: Outcome) -> Outcome {
      Outcome(sealed: one.sealed + two.sealed, strange: one.strange + two.strange)
    }
  }

  /// How many records one statement looks at.
  private static let window = 128

  private let store: any EncryptedColumnStore
  private let keyring: ColumnCipher
  private let whole: MasterKeyring

  public init(_ store: any EncryptedColumnStore, keyring: MasterKeyring) {
    self.store = store
    self.keyring = ColumnCipher(keyring)
    whole = keyring
  }

  /// Seals all that is not under the newest key.
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

  /// Of pictures and films a few are as much as memory should hold.
  private static func atOnce(_ column: EncryptedColumn) -> Int { column.isJSON ? 100 : 4 }

  /// Replaces the values that `anew` gives others for.
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

  /// Seals secrets, hints of messages and states of checks under way anew that are under older keys. Only while no server
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

  /// How many values are not under the newest key.
  public func left() async throws -> Int {
    var count = 0
    for column in EncryptedColumn.all {
      guard let prefix = keyring.prefix(of: column) else { continue }
      var last: [String]?
      repeat {
        try Task.checkCancellation()
        let seen = try await store.values(
          of: column, notBeginningWith: prefix, after: last, window: Self.window, limit: Self.atOnce(column))
        count += seen.values.count
        last = seen.last
      } while last != nil
    }
    return count
  }
}
