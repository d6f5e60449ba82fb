/// What is kept for a time only, and erased by the server itself when that is over.
public enum RetentionCategory: String, CaseIterable, Sendable {
  /// Verdicts, with all that belongs to their checks.
  case checks
  /// Pictures of checks, which go before their verdicts.
  case images = "pictures"
  /// Films of checks.
  case films
  case captures
  case scans
  /// Scans whose files did not come, that failed or that were cancelled.
  case unfinishedScans = "unfinished_scans"
  /// The texts of messages whose time is over.
  case messages
  /// What is remembered of failed checks of a person or a device.
  case lockouts
}
