/// The records that an operator's retention rule deletes a number of days after their creation.
public enum RetentionRule: String, CaseIterable, Sendable {
  /// Verdicts and all data of their checks, by decision time.
  case checks
  /// Captures, by the time they were received.
  case captures
  /// Scans, by the time they were created.
  case scans
}

/// Number and age of the records of one kind.
public struct ExpiredRecordCount: Hashable, Sendable {
  public let count: Int
  /// Number of records created before a given time.
  public let before: Int
  /// Creation time of the oldest record; `nil` if there are none.
  public let oldest: UnixTime?

  public init(count: Int, before: Int, oldest: UnixTime?) {
    self.count = count
    self.before = before
    self.oldest = oldest
  }
}

/// Counts stored records by age, so that a retention rule can be tested before it deletes anything.
public protocol RetentionStore: Sendable {
  /// Counts records by the criteria of the services' purges: those created before `time` would be deleted.
  func aged(_ kind: RetentionRule, before time: UnixTime) async throws -> ExpiredRecordCount
}

/// A category of data that the server deletes automatically after a retention period.
public enum RetentionCategory: String, CaseIterable, Sendable {
  /// Verdicts, with all data of their checks.
  case checks
  /// Images of checks, which are deleted before their verdicts.
  case images
  /// Clips of checks.
  case clips
  /// Templates of checks, which are kept for a day so that their persons can be enrolled.
  case templates
  case captures
  case scans
  /// Scans whose files did not arrive, that failed or that were canceled.
  case unfinishedScans = "unfinished_scans"
  /// Encrypted texts of expired messages.
  case messages
  /// Records of failed checks of a person or device.
  case lockouts
}
