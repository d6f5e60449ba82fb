/// Seals the values of ``SealedColumn``s that lie in a store open or under an older key, beside servers at work.
///
/// A value is replaced only while it is the one that was read, so that nothing that changes meanwhile is lost; what was done is
/// done, whenever this ends.
public struct SealSweep: Sendable {
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

  private let store: any SealedColumnStore
  private let seal: ColumnSeal
  private let whole: Seal

  public init(_ store: any SealedColumnStore, seal: Seal) {
    self.store = store
    self.seal = ColumnSeal(seal)
    whole = seal
  }

  /// Seals all that is not under the newest key.
  public func run() async throws -> Outcome {
    var outcome = Outcome()
    for column in SealedColumn.all {
      guard let prefix = seal.prefix(of: column) else { continue }
      // Of pictures and films a few are as much as memory should hold.
      let some = try await renew(column, notBeginningWith: prefix, atOnce: column.isJSON ? 100 : 4) { value in
        try seal.renewed(value.bytes, column, of: value.record)
      }
      outcome = outcome + some
    }
    if outcome.sealed > 0 { try await store.forgetReplaced() }
    return outcome
  }

  /// Replaces the values that `anew` gives others for.
  private func renew(
    _ column: SealedColumn, notBeginningWith prefix: [UInt8]?, atOnce limit: Int,
    _ anew: (ColumnValue) throws -> [UInt8]?
  ) async throws -> Outcome {
    var (outcome, last): (Outcome, [String]?) = (Outcome(), nil)
    while true {
      try Task.checkCancellation()
      let values = try await store.values(of: column, notBeginningWith: prefix, after: last, limit: limit)
      var changes: [ColumnChange] = []
      for value in values {
        do {
          if let new = try anew(value) { changes.append(ColumnChange(value, by: new)) }
        } catch let error as StoreError where error.code == .unavailable {
          outcome.strange += 1
        }
      }
      if !changes.isEmpty { outcome.sealed += try await store.replace(changes, of: column) }
      guard values.count == limit else { return outcome }
      last = values.last?.record
    }
  }

  /// Seals secrets, hints of messages and states of checks under way anew that are under older keys. Only while no server
  /// changes them.
  public func renewSecrets() async throws -> Outcome {
    var outcome = Outcome()
    for column in SealedColumn.secrets {
      let some = try await renew(column, notBeginningWith: nil, atOnce: 100) { value in
        try whole.renewed(value.bytes, secret: column, of: value.record)
      }
      outcome = outcome + some
    }
    if outcome.sealed > 0 { try await store.forgetReplaced() }
    return outcome
  }

  /// How many values are not under the newest key.
  public func left() async throws -> Int {
    var count = 0
    for column in SealedColumn.all {
      guard let prefix = seal.prefix(of: column) else { continue }
      count += try await store.count(of: column, notBeginningWith: prefix)
    }
    return count
  }
}
