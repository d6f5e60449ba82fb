internal import HTTPTypes
internal import MienService

/// What an API key must be good for at an address: the one table from paths to scopes.
enum RouteScope {
  /// The scope that a request needs; nil where only a key with everything will do.
  static func needed(_ path: String) -> KeyScope? {
    let parts = path.split(separator: "/", maxSplits: 3)
    guard let first = parts.first else { return nil }
    if first == "v2" { return .checks }
    guard first == "v1", parts.count > 1 else { return first == "metrics" ? .admin : nil }
    switch parts[1] {
    case "checks", "people": return .checks
    case "captures", "devices", "verify-file", "bursts", "error-rates": return .captures
    case "scans": return .scans
    case "messages", "performances": return .messages
    case "webhooks": return .webhooks
    case "keys", "audit", "status": return .admin
    default: return nil
    }
  }

  /// True for methods that change nothing.
  static func isReading(_ method: HTTPRequest.Method) -> Bool { method == .get || method == .head }
}
