internal import HTTPTypes
internal import MienService

/// What an API key must be good for at an address: the one table from paths to scopes.
enum RequiredScope {
  /// The scope that a request needs; nil where only a key with everything will do.
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

  /// True for what changes nothing, and gives nothing that changes something: with a check's token its frames are sent.
  static func isReading(_ method: HTTPRequest.Method, _ path: String) -> Bool {
    guard method == .get || method == .head else { return false }
    let parts = path.split(separator: "/")
    return !(parts.count == 4 && parts[1] == "checks" && parts[3] == "token")
  }

  /// True where being signed in counts: the pages themselves, signing in and what anybody may see are the same for everybody.
  static func countsSignIn(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let first = parts.first else { return false }
    guard first == "v1", parts.count > 1 else { return first == "v2" || first == "upload" }
    switch parts[1] {
    case "sign-in", "sign-out", "account", "demo", "error-rates", "verify-file": return false
    // Who has a message's number needs no key: neither to look at it nor to perform for it. Locking one may need one.
    case "messages": return parts.count == 2 || parts.count == 3 && parts[2] == "recordings"
    case "performances": return false
    default: return true
    }
  }
}

extension AccountRole {
  /// What somebody of this role may do: the one table from roles to scopes.
  func allows(_ scope: APIKeyScope?, reading: Bool) -> Bool {
    switch self {
    case .operator: true
    case .verifier: reading && scope.map { [.checks, .captures, .scans].contains($0) } == true
    }
  }
}
