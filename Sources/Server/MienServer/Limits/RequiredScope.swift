internal import HTTPTypes
internal import MienService

/// Mapping of paths to the API-key scopes they require.
enum RequiredScope {
  /// Returns the scope that a request needs, or `nil` if it needs a key with all scopes.
  static func needed(_ path: String) -> APIKeyScope? {
    let parts = path.split(separator: "/", maxSplits: 3)
    guard let first = parts.first else { return nil }
    if first == "v2" { return .checks }
    if first == "upload" { return .scans }
    guard first == "v1", parts.count > 1 else { return first == "metrics" ? .admin : nil }
    switch parts[1] {
    case "checks", "people", "faces": return .checks
    case "captures", "devices", "verify-file", "error-rates": return .captures
    case "scans", "subjects", "uploads": return .scans
    case "messages", "performances": return .messages
    case "webhooks": return .webhooks
    case "keys", "audit", "retention": return .admin
    default: return nil
    }
  }

  /// Returns `true` for requests that neither change anything nor return a credential for changes: a check's token
  /// authorizes sending frames.
  static func isReading(_ method: HTTPRequest.Method, _ path: String) -> Bool {
    guard method == .get || method == .head else { return false }
    let parts = path.split(separator: "/")
    return !(parts.count == 4 && parts[1] == "checks" && parts[3] == "token")
  }

  /// Returns `true` if a session cookie is evaluated for the path. It is ignored for pages, sign-in routes and public
  /// routes.
  static func countsSignIn(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let first = parts.first else { return false }
    guard first == "v1", parts.count > 1 else { return first == "v2" || first == "upload" }
    switch parts[1] {
    case "sign-in", "sign-out", "account", "demo", "error-rates", "verify-file": return false
    // Reading and unlocking a message requires only its ID; locking one may require a key.
    case "messages": return parts.count == 2 || parts.count == 3 && parts[2] == "recordings"
    case "performances": return false
    default: return true
    }
  }
}

extension AccountRole {
  /// Returns `true` if the role is allowed to use a scope.
  func allows(_ scope: APIKeyScope?, reading: Bool) -> Bool {
    switch self {
    case .operator: true
    case .verifier: reading && scope.map { [.checks, .captures, .scans].contains($0) } == true
    }
  }
}
