internal import HTTPTypes
internal import Hummingbird

/// Who may use the server without an API key: to try checks, lock messages, send captures and scans, and look at scans.
public enum DemoAccess: Hashable, Sendable {
  /// Nobody.
  case off
  /// Programs and pages of the server's own machine. What a front hands on is not of this machine, and neither is what a
  /// browser here sends for a page from elsewhere, under whatever name that page has this machine looked up.
  case ownMachine
  /// Anybody.
  case everybody

  /// Whether a request may.
  ///
  /// - Parameter origins: of other pages that may use the server.
  func lets(_ request: Request, _ context: ServerContext, origins: Set<String>) -> Bool {
    switch self {
    case .off: false
    case .everybody: true
    case .ownMachine:
      context.isOwn(request) && Self.isLoopback(request.head.authority) && Self.isOwnPage(request, origins: origins)
    }
  }

  /// True for the names of this machine to itself, with a port or without; also for none, which no browser sends.
  static func isLoopback(_ authority: String?) -> Bool {
    guard let authority = authority?.lowercased() else { return true }
    if authority == "[::1]" || authority.hasPrefix("[::1]:") { return true }
    let host = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)[0]
    if host == "localhost" || host.hasSuffix(".localhost") { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func isOwnPage(_ request: Request, origins: Set<String>) -> Bool {
    guard let origin = request.headers[.origin] else { return true }
    return origins.contains(origin) || (try? CSRFProtection.expectOwn(request)) != nil
  }
}
