/// A permission of an API key. A key has some of them, or all.
public enum APIKeyScope: String, Hashable, Sendable, CaseIterable {
  /// Checks, the people they belong to, and the compatible APIs that create checks.
  case checks
  /// Captures, devices and the verification of files.
  case captures
  /// Scans and their results.
  case scans
  /// Locked messages.
  case messages
  /// Webhooks.
  case webhooks
  /// Read-only access to the data of all other scopes except `admin`.
  case read
  /// Keys, the audit log and the server's metrics. A key with this scope can create keys with any other.
  case admin
}
