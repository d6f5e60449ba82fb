/// What an API key may be used for. A key has some of them, or all.
public enum APIKeyScope: String, Hashable, Sendable, CaseIterable {
  /// Checks, the people they are of, and the dialects that make checks.
  case checks
  /// Captures, devices and files to verify.
  case captures
  /// Scans and what is made of them.
  case scans
  /// Messages under locks.
  case messages
  /// Webhooks.
  case webhooks
  /// Reading whatever the others keep, and changing nothing.
  case read
  /// Keys, the audit log and the server's figures. Whoever has it can give themselves any other.
  case admin
}
