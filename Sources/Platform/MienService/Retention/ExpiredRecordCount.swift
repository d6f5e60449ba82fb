/// What an operator's rule erases by age, a number of days after its coming.
public enum RetentionRule: String, CaseIterable, Sendable {
  /// Verdicts with all that belongs to their checks, by when they were decided.
  case checks
  /// By when they were received.
  case captures
  /// By when they were begun.
  case scans
}

/// How much there is of a kind, and how old.
public struct ExpiredRecordCount: Hashable, Sendable {
  public let count: Int
  /// How many came before a time.
  public let before: Int
  /// When the oldest came; nil where there are none.
  public let oldest: UnixTime?

  public init(count: Int, before: Int, oldest: UnixTime?) {
    self.count = count
    self.before = before
    self.oldest = oldest
  }
}

/// Counts what is kept by age, so that a rule can be tried before it erases anything.
public protocol RetentionStore: Sendable {
  /// Counts what the services' sweeps go by: what came before `time` is what they would erase.
  func aged(_ kind: RetentionRule, before time: UnixTime) async throws -> ExpiredRecordCount
}
