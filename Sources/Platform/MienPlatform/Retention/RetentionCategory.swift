/// A category of data that the server deletes automatically after a retention period.
public enum RetentionCategory: String, CaseIterable, Sendable {
  /// Verdicts, with all data of their checks.
  case checks
  /// Images of checks, which are deleted before their verdicts.
  case images = "pictures"
  /// Clips of checks.
  case films
  case captures
  case scans
  /// Scans whose files did not arrive, that failed or that were canceled.
  case unfinishedScans = "unfinished_scans"
  /// Encrypted texts of expired messages.
  case messages
  /// Records of failed checks of a person or device.
  case lockouts
}
