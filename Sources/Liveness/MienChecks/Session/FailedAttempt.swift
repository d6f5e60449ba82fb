public import MienPlatform

/// An attempt of a check that did not pass and was followed by another.
public struct FailedAttempt: Codable, Hashable, Sendable {
  /// `failed` or `timed-out`.
  public let outcome: String
  /// A stable reason code.
  public let reason: String
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let ended: Int64

  public init(outcome: CheckResult.Outcome, reason: String, ended: UnixTime) {
    self.outcome = outcome.rawValue
    self.reason = reason
    self.ended = ended.milliseconds
  }
}
